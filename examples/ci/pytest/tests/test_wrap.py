import time

from words import wrap


def test_short():
    assert wrap("a b", 10) == ["a b"]


def test_long():
    assert wrap("a bb ccc", 4) == ["a bb", "ccc"]


def test_word_longer_than_the_line():
    time.sleep(0.2)  # a test that takes its time
    assert wrap("a bbbbbb c", 3) == ["a", "bbbbbb", "c"]
