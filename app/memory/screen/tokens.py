"""Find secrets that programs and people log in with, by the shapes they have or the words before.

The shapes are those that their makers publish. A detector of random-looking text would find more,
and names, addresses and order numbers with it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class ScreenMatch(NamedTuple):
    """One piece of a text that should not be stored.

    Attributes:
        start, end: Where it stands.
        what: What it is, as its mark says it.
        always: Whether it is left out even where the person asked to keep it.
    """

    start: int
    end: int
    what: str
    always: bool = False


_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[\s\S]{0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\s\S]*)"
    r"|\bAGE-SECRET-KEY-1[0-9A-Z]{20,}|\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{60,}"
    r"|\bPuTTY-User-Key-File-\d[\s\S]*"
)
_API_KEY = re.compile(
    r"(?<![\w-])(?:(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"  # Amazon
    r"|gh[pousr]_\w{20,255}|github_pat_\w{20,255}|gl(?:pat|dt|rt|cbt|ptt)-[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}"  # Slack
    r"|(?:sk|rk|pk)_(?:live|test)_\w{10,}|whsec_[\w+/=]{16,}"  # Stripe
    r"|sk-[\w-]{16,}|AIza[\w-]{20,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"  # OpenAI and others, Google
    r"|gsk_\w{16,}|xai-[\w-]{16,}|tvly-[\w-]{12,}|hf_[A-Za-z0-9]{20,}|r8_\w{20,}|pplx-\w{20,}"
    r"|npm_[A-Za-z0-9]{30,}|pypi-AgE[\w-]{20,}|dckr_pat_[\w-]{20,}|dop_v1_[a-f0-9]{32,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|key-[0-9a-f]{32}|SK[0-9a-f]{32}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    r"|(?:atlasv1|tfp|hvs|hvb)[._][\w.-]{20,}|nvapi-[\w-]{20,}|secret_\w{32,}|ntn_\w{32,}"
    r"|PMAK-[0-9a-f]{20,}-[0-9a-f]{20,}|lin_api_\w{32,}|sq0(?:atp|csp)-[\w-]{20,}"
    r"|\d{8,10}:AA[\w-]{32,}"  # Telegram
    r"|[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,}"  # Discord
    r"|eyJ[\w-]{16,}\.[\w-]{10,}\.[\w-]{8,})"
    r"|https://hooks\.slack\.com/services/[\w/]{20,}|https://discord(?:app)?\.com/api/webhooks/"
    r"\d+/[\w-]{20,}|\b(?:AccountKey|SharedAccessKey)=[\w+/=]{20,}"
    r"|(?<=[Bb]earer )[\w.~+/-]{20,}=*"
)
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/:@]{1,100}:(?P<secret>[^\s/@\[][^\s/@]{0,199})(?=@)")
PASSWORD_WORDS = (
    r"pass\s?words?|pass\s?phrase|pass\s?code|pwd|passwort|kennwort|wachtwoord|mot de passe|"
    r"contraseña|senha|api[ _-]?key|secret[ _-]?(?:access[ _-]?)?key|access[ _-]?(?:token|key)|"
    r"auth[ _-]?token|client[ _-]?secret|(?:private|encryption|licen[cs]e) key|"
    r"(?:wi-?fi|wlan|hotspot)[ -]?(?:key|code|pass|schlüssel)|(?:wpa[23]?|network) key"
)
PIN_WORDS = r"pin(?:[ -]?(?:code|number))?s?|geheimzahl"
WHOSE = r"(?:\s+(?:for|of|to|at|on)\s+[\w'@. -]{1,40}?)?"
_STILL = r"(?:(?:now|still|just|simply|currently|actually|originally|really)\s+)*"
_IS = (
    r"\s*(?:\b(?:is|was|are|were|ist|war|est|es|era|=|has been|used to be|will be|became|remains)\b"
    rf"|[:=]|(?P<owns>['’]s)\b)\s*{_STILL}[\"'“‘`]?"
)
_PASSWORD = re.compile(
    rf"\b(?:{PASSWORD_WORDS})\b{WHOSE}{_IS}(?P<secret>[^\s\[\"'”’`][^\n,;\"”`]{{0,80}})",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:(?:seed|recovery|backup|mnemonic)\s+(?:phrase|words?|codes?|keys?))\b"
    rf"{WHOSE}{_IS}(?P<secret>[^\s\[][^\n;.]{{0,400}})",
    re.IGNORECASE,
)
_PIN = re.compile(
    rf"\b(?:{PIN_WORDS})\b{WHOSE}{_IS}(?P<secret>\d(?:[ -]?\d){{2,11}})\b"
    r"(?!\s*(?:[%€$£°]|mm|cm|km|kg|metres?|meters?|euros?|pounds?|dollars?|years?|digits|points)\b)",
    re.IGNORECASE,
)
_CARD_CODE = re.compile(
    rf"\b(?:cvv2?|cvc2?|card verification (?:code|value))\b{WHOSE}(?:{_IS}|\s*)"
    r"(?P<secret>\d{3,4})\b",
    re.IGNORECASE,
)
# What may follow "my password is" without being the password.
NO_SECRET = re.compile(
    r"(?:a|an|the|too|not|no|very|never|always|still|only|now|also|so|my|your|our|his|her|their|"
    r"in|on|off|at|under|with|from|by|as|for|to|of|about|written|stored|saved|kept|hidden|managed|"
    r"generated|expir(?:es?|ed|ing|y)|wrong|weak|strong|long|short|safe|secure|old|new|same|"
    r"different|unique|random|required|needed|reset|changed|lost|forgotten|gone|working|leaked|"
    r"compromised|protected|important|going|getting|being|due|up|out|what|something|somewhere|"
    r"longer|shorter|hard|easy|back|locked|invalid|ok|okay|fine|shared|over|under|between|at least|"
    r"better|worse|good|great|bad|easier|harder|similar|mine|hers?|online|offline|known|blocked|"
    r"active|valid|much|really|more|less|all|fixed|done|there|here|nearly|almost|probably|already|"
    r"anything|nothing|whatever|that|this|it|stronger|safer|weaker|simpler|updated|renewed|faster|slower|disabled|enabled|yours|ours|theirs)"
    r"\b(?!\S)",
    re.IGNORECASE,
)
_AND_MORE = re.compile(
    r"\s+(?:and|but|or|now|until|for|on|at|in|because|since|which|so|if|when|please|by the way)\s.*"
    r"|[.!?]+\s.*|[.!?)\]'’]+$",
    re.IGNORECASE | re.DOTALL,
)


def secrets(text: str) -> Iterator[ScreenMatch]:
    """Yield the secrets of a text; they may overlap."""
    for expression, what in ((_PRIVATE_KEY, "private key"), (_API_KEY, "API key")):
        for hit in expression.finditer(text):
            yield ScreenMatch(hit.start(), hit.end(), what, always=True)
    for hit in _IN_ADDRESS.finditer(text):
        yield ScreenMatch(*hit.span("secret"), "password")
    for hit in _CARD_CODE.finditer(text):
        yield ScreenMatch(*hit.span("secret"), "card security code", always=True)
    for hit in _PIN.finditer(text):
        yield ScreenMatch(*hit.span("secret"), "PIN")
    for hit in _PHRASE.finditer(text):
        yield ScreenMatch(*hit.span("secret"), "recovery phrase")
    yield from _passwords(text)


def _passwords(text: str) -> Iterator[ScreenMatch]:
    for hit in _PASSWORD.finditer(text):
        secret = _AND_MORE.sub("", hit["secret"]).rstrip()
        owns = hit["owns"] and not any(letter.isdigit() for letter in secret)
        if secret and not owns and not NO_SECRET.match(secret):  # "my password's length"
            start = hit.start("secret")
            yield ScreenMatch(start, start + len(secret), "password")
