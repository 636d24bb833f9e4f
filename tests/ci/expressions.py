"""GitHub's expressions, as far as action.yml and the example use them; anything else is an error."""
import re

TOKEN = re.compile(r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<number>\d+)|(?P<name>[A-Za-z_][\w-]*(?:\.[\w-]+)*)"
                   r"|(?P<sign>&&|\|\||==|!=|[!(),]))")


class Unknown(Exception):
    pass


class Parser:
    def __init__(self, text, contexts, functions):
        self.text, self.contexts, self.functions = text, contexts, functions
        self.tokens = []
        at = 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Unknown(f"cannot read {text[at:]!r} of {text!r}")
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()

    def value(self):
        value = self.any_of()
        if self.tokens:
            raise Unknown(f"{self.tokens[0][1]!r} is too much in {self.text!r}")
        return value

    def accept(self, *signs):
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return None

    def any_of(self):
        value = self.all_of()
        while self.accept("||"):
            other = self.all_of()
            value = value or other
        return value

    def all_of(self):
        value = self.compared()
        while self.accept("&&"):
            other = self.compared()
            value = value and other
        return value

    def compared(self):
        value = self.single()
        sign = self.accept("==", "!=")
        if not sign:
            return value
        other = self.single()
        # Strings are equal whatever their case.
        first, second = (item.lower() if isinstance(item, str) else item for item in (value, other))
        return (first == second) == (sign == "==")

    def single(self):
        if self.accept("!"):
            return not self.single()
        if self.accept("("):
            value = self.any_of()
            if not self.accept(")"):
                raise Unknown(f"a ) is missing in {self.text!r}")
            return value
        if not self.tokens:
            raise Unknown(f"{self.text!r} ends too early")
        kind, word = self.tokens.pop(0)
        if kind == "string":
            return word[1:-1].replace("''", "'")
        if kind == "number":
            return int(word)
        if kind != "name":
            raise Unknown(f"{word!r} in {self.text!r}")
        if self.accept("("):
            if word not in self.functions or not self.accept(")"):
                raise Unknown(f"the function {word} in {self.text!r}")
            return self.functions[word]()
        return self.looked_up(word)

    def looked_up(self, name):
        if name in ("true", "false"):
            return name == "true"
        first, *rest = name.split(".")
        if first not in self.contexts or not rest:
            raise Unknown(f"the context of {name} in {self.text!r}")
        value = self.contexts[first]
        for part in rest:
            # What a step or an event does not have is empty; a field of github that is not known here is a mistake.
            if first == "github" and part not in value and value is self.contexts["github"]:
                raise Unknown(name)
            value = value.get(part, "") if isinstance(value, dict) else ""
        return value


def as_text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def expanded(text, contexts, functions):
    """The text with each ${{ }} replaced."""
    return re.sub(r"\$\{\{(.*?)\}\}",
                  lambda match: as_text(Parser(match.group(1), contexts, functions).value()), str(text))


def is_true(condition, contexts, functions):
    """An if:, which needs no ${{ }}; unless it asks for the status, it is only true after success."""
    text = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", str(condition).strip())
    value = Parser(text, contexts, functions).value()
    if not re.search(r"\b(always|success|failure|cancelled)\(", text):
        return bool(value) and functions["success"]()
    return bool(value)
