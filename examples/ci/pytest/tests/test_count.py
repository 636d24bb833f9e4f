import pytest

from words import count, most_common, words


@pytest.mark.parametrize("text, expected", [("", []), ("One two", ["one", "two"]), ("don't", ["don't"])])
def test_words(text, expected):
    assert words(text) == expected


def test_count():
    assert count("a b a") == {"a": 2, "b": 1}


class TestMostCommon:
    def test_first(self):
        assert most_common("a b a") == [("a", 2)]

    def test_ties_by_word(self):
        assert most_common("b a", 2) == [("a", 1), ("b", 1)]
