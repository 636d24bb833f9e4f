"""Words of a text: what the tests beside this file test."""
import re


def words(text):
    return re.findall(r"[\w']+", text.lower())


def count(text):
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def most_common(text, n=1):
    return sorted(count(text).items(), key=lambda item: (-item[1], item[0]))[:n]


def wrap(text, width):
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
