"""Where somebody else's words begin in what a person typed, and how plain that is.

A letter is told by its head, in lines of its own or among other words; a quotation by who wrote it
("Karel wrote on Monday: …"); a copy by what announces it ("Here is the letter I got: …"). Whatever
may as well be the person's own, such as a letter that begins "Dear Anna, …", is in doubt. All is
told by form alone; the words are data.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


def _vocabulary(text: str) -> str:
    return "|".join(re.escape(word.strip()) for word in text.strip().split(","))


_SENDERS = _vocabulary(
    "from, sender, von, absender, de, expéditeur, remitente, van, afzender, da,"
    " mittente, от, отправитель"
)
_SUBJECTS = _vocabulary("subject, betreff, objet, asunto, assunto, onderwerp, oggetto, тема")
_HEADERS = _vocabulary(
    "to, cc, bcc, date, sent, an, datum, gesendet, à, envoyé, para, fecha, enviado, aan,"
    " verzonden, inviato, data, кому, дата, отправлено, копия"
)
_TECHNICAL = _vocabulary(
    "message-id, reply-to, in-reply-to, return-path, delivered-to, mime-version, content-type,"
    " dkim-signature, list-unsubscribe, x-mailer, user-agent"
)
_ABOVE = _vocabulary(
    "original message, forwarded message, begin forwarded message, ursprüngliche nachricht,"
    " weitergeleitete nachricht, message d'origine, message transféré, mensaje original,"
    " mensaje reenviado, oorspronkelijk bericht, doorgestuurd bericht, messaggio originale,"
    " messaggio inoltrato, исходное сообщение, пересылаемое сообщение"
)
_PASSED_ON = _vocabulary("fw, fwd, wg, rv, tr, doorst")
_ANSWERED = _vocabulary("re, aw, antw, sv")
# What tells a day after "From: ", as in "From: now on I eat no meat".
_DAYS = _vocabulary(
    "now, today, tomorrow, then, this, next, here, there, monday, tuesday, wednesday, thursday,"
    " friday, saturday, sunday, january, february, march, april, may, june, july, august,"
    " september, october, november, december, nun, jetzt, heute, morgen, nu, vandaag, ahora, hoy,"
    " mañana, maintenant, aujourd'hui, demain, ora, oggi, domani, теперь, сегодня"
)
_OWN = _vocabulary("i, we, my, ich, wir, mein, meine, je, nous, yo, mi, ik, wij, io, я, мы, у меня")
_WROTE = _vocabulary(
    "wrote, writes, texted, emailed, e-mailed, messaged, schrieb, schreibt, a écrit, escribió,"
    " escribe, ha escrito, schreef, schrijft, ha scritto, scrive, escreveu, написал, написала,"
    " пишет"
)
_WRITTEN = _vocabulary("has written, geschrieben, geschreven, geschrieben hat, geschreven heeft")
_SAID = _vocabulary(
    "said, says, told me, told us, tells me, sent me, sent us, sagte, sagt, meinte, a dit, m'a dit,"
    " dijo, dice, me dijo, zei, zegt, ha detto, сказал, сказала, говорит"
)
_BEFORE_A_VERB = _vocabulary(
    "have, had, just, also, already, once, then, always, even, later, recently, only, have just,"
    " habe, auch, heb, ook, только, уже"
)
_A_THING = _vocabulary(
    "a, an, the, his, her, their, my, our, several, two, ein, eine, einen, das, den, die, un, une,"
    " una, le, la, el, een, het, de, uno, il"
)
_COPIES = _vocabulary(
    "letter, mail, email, e-mail, message, text, text message, sms, post, dm, whatsapp, voicemail,"
    " card, postcard, brief, nachricht, mitteilung, lettre, courriel, carta, correo, mensaje,"
    " bericht, mailtje, briefje, lettera, messaggio, письмо, сообщение"
)
_SHOWN = _vocabulary(
    "here is, here's, here’s, here are, here comes, this is, below, following, hier ist,"
    " hier kommt, das ist, voici, ci-dessous, aquí está, este es, esta es, hier is, dit is, ecco,"
    " questo è, questa è, вот"
)
_RECEIVED = _vocabulary(
    "got, received, arrived, came, sent me, sent us, from, forwarded, reads, says, in the mail,"
    " in my mailbox, found, bekam, bekommen, erhielt, erhalten, gekriegt, kam, von, reçu, reçue,"
    " m'a envoyé, m'a envoyée, de, recibí, recibido, llegó, me envió, me mandó, kreeg, gekregen,"
    " ontving, ontvangen, van, stuurde, ricevuto, ricevuta, arrivata, arrivato, da, mi ha mandato,"
    " получил, получила, пришло, от"
)
_SENDS = _vocabulary(
    "i wrote, i sent, i'm sending, i am sending, i'm writing, i am writing, i want to send,"
    " i have to send, ich schrieb, ich schicke, j'ai écrit, escribí, ik schreef, ik stuur,"
    " ho scritto"
)
_OPENING = _vocabulary(
    "dear, my dear, dearest, lieber, liebe, sehr geehrter, sehr geehrte, cher, chère, querido,"
    " querida, estimado, estimada, beste, lieve, geachte, caro, cara, gentile, egregio, дорогой,"
    " дорогая, уважаемый, уважаемая"
)
_ADDRESSED = _vocabulary("sir, madam, customer, colleague, neighbour, neighbor, tenant, patient")
_NOT_ADDRESSED = _vocabulary(
    "loci, diary, assistant, me, god, lord, i, im, i'm, chatgpt, claude, gemini, copilot, siri,"
    " alexa"
)
_HELLO = _vocabulary(
    "hi, hello, hey, hiya, dear, hallo, liebe, lieber, servus, moin, bonjour, salut, coucou, cher,"
    " chère, hola, querida, querido, hoi, dag, lieve, beste, ciao, cara, caro"
)
_FAREWELL = _vocabulary(
    "love, all my love, lots of love, much love, with love, love from, best, best wishes, all"
    " the best, best regards, kind regards, warm regards, regards, yours, yours sincerely,"
    " sincerely, cheers, thanks, many thanks, hugs, take care, see you soon, speak soon,"
    " kisses, xoxo, xx, xxx, liebe grüße, viele grüße, herzliche grüße, beste grüße, schöne"
    " grüße, grüße, gruß, lg, vg, mfg, mit freundlichen grüßen, deine, dein, bises, gros"
    " bisous, bisous, je t'embrasse, amicalement, cordialement, bien à toi, un abrazo,"
    " abrazos, besos, saludos, un saludo, con cariño, atentamente, groetjes, groeten, veel"
    " liefs, liefs, kus, met vriendelijke groet, baci, un abbraccio, saluti, cordiali saluti"
)

_COLON = r"[*_]{0,3}[ \t\u00a0\u202f]{0,2}[:：](?!//)[*_]{0,3}"
_LINE_HEAD = re.compile(
    rf"^[ \t]*+[*_#]{{0,4}}+[ \t]*+(?:(?P<sender>{_SENDERS})|(?P<subject>{_SUBJECTS})"
    rf"|{_HEADERS}|{_TECHNICAL}){_COLON}[ \t]*+(?P<value>\S.*)$",
    re.I | re.M,
)
_IN_LINE = re.compile(
    rf"(?<![\w@/.-])(?P<name>(?P<sender>{_SENDERS})|(?P<subject>{_SUBJECTS})"
    rf"|(?P<technical>{_TECHNICAL})|{_HEADERS}){_COLON}\s{{0,200}}+(?P<value>\S[^\n]{{0,120}})",
    re.I,
)
_PASSES_ON = re.compile(
    rf"^[ \t]*+(?:{_PASSED_ON}):[ \t]\S"
    rf"|^[ \t>]*+(?:[-_*]++[ \t]*+)?(?:{_ABOVE})[ \t]*+(?:[-_*]++|:)?[ \t]*+$",
    re.I | re.M,
)
_REPLY = re.compile(rf"^[ \t]*+(?:{_ANSWERED}):[ \t]*+\S", re.I | re.M)
_ADDRESS = re.compile(r"\S@\S")
_DAY = re.compile(rf"(?:{_DAYS})\b", re.I)
_OF_ONESELF = re.compile(rf"(?:{_OWN})\b", re.I)
# Up to the colon that ends a clause; that of a time is none.
_UP_TO = r"(?:\d[:.]\d|<[^<>\n]{0,80}>|[^.!?\n:：]|\.(?=\w)){0,100}+"
_QUOTES = re.compile(
    rf"(?<!\w)(?:(?P<wrote>{_WROTE})|(?P<written>{_WRITTEN})|{_SAID})(?!\w)"
    rf"(?P<between>{_UP_TO})[:：](?!//)(?=\s{{0,200}}\S)",
    re.I,
)
_ONESELF_BEFORE = re.compile(
    rf"(?<!\w)(?:{_OWN})(?:['’](?:ve|d))?(?:\s+(?:{_BEFORE_A_VERB}))?\s*$", re.I
)
_ONESELF_AFTER = re.compile(r"\s*(?:i|ich|wir|ik|wij|we)\b", re.I)
_ONESELF_WITHIN = re.compile(r"(?<!\w)(?:i|we|ich|wir|ik|wij|я|мы)(?!\w)", re.I)
_OBJECT = re.compile(rf"\s+(?:{_A_THING})\b", re.I)
_COPY = re.compile(
    rf"(?<!\w)(?:(?P<copy>{_COPIES})|what)(?!\w)(?P<between>{_UP_TO})"
    rf"(?:(?P<plain>[:：](?!//)|[.!]?[ \t]{{0,9}}\n)|[.!])(?=\s{{0,200}}\S)",
    re.I,
)
_SHOWS = re.compile(rf"(?<!\w)(?:{_SHOWN})(?!\w)", re.I)
_GOT = re.compile(rf"(?<!\w)(?:{_RECEIVED})(?!\w)", re.I)
_SENT_BY_ONESELF = re.compile(rf"(?<!\w)(?:{_SENDS})(?!\w)", re.I)
_OF_ONES_OWN = re.compile(
    r"(?<!\w)(?:my|mine|about me|for you|mein|meine|mijn|mi|mon|ma)(?!\w)", re.I
)
_DANGLING = re.compile(rf"(?<!\w)(?:{_SENDERS}|to|of|an|a)\s*$", re.I)
_SALUTES = re.compile(
    rf"(?<!\w)(?i:{_OPENING})\s(?!(?i:{_NOT_ADDRESSED})\b)"
    rf"(?:(?i:{_ADDRESSED})\b|[^\W\d_a-zà-öø-ÿа-я])[^\n,.!?:]{{0,40}}[,!:\n](?=\s{{0,200}}\S)"
)
_CALLED = r"[^\W\d_a-zà-öø-ÿа-я][\w'’-]*"
_GREETS = re.compile(
    rf"\W*(?i:{_HELLO}),?\s(?!(?i:{_NOT_ADDRESSED})\b)(?:my\s)?{_CALLED}(?:\s(?:and\s)?{_CALLED}){{0,2}}"
    rf"(?=\s*[,!:.\n–—-]|\s)"
)
_SIGNED = re.compile(
    rf"(?:[.!?…;,)]|\n|[–—-]\s)\s*(?P<signed>(?i:{_FAREWELL})[,!.]?\s+(?:from\s|your\s|deine?\s)?"
    rf"(?!(?i:{_NOT_ADDRESSED})\b){_CALLED}(?:\s(?:(?:and|und|et|y|en)\s)?{_CALLED}){{0,3}}"
    rf"[\sxX.!*]*)\Z"
)
_LETTER = re.compile(r"\S")
_SENTENCE_START = re.compile(r"[.!?…\n](?=\s)\s*|\n")
_LONGEST_LEAD = 200  # what stands above an answer: "On 3 May 2026, at 12:04, Bob wrote:"
_SHORT = 5  # words
_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’"}


class Begun(NamedTuple):
    """Where words begin that are perhaps another's.

    Attributes:
        plain: Whether they are plainly so; else they may be the person's own.
    """

    start: int
    end: int
    plain: bool


def begins_head(text: str) -> bool:
    """Return whether a line begins as one of a letter's head does: "From: Karel <karel@…"."""
    return _LINE_HEAD.match(text) is not None


def begun(text: str) -> Iterator[Begun]:
    """Yield where another's words begin in a typed text and where they end, in any order.

    A letter goes on to the end of the text; so does a quotation, unless marks around it end it.
    """
    yield from _heads(text)
    yield from _among_words(text)
    yield from _passed_on(text, _QUOTES, _quotes)
    yield from _passed_on(text, _COPY, _announces)
    opening = (
        one.start() for one in _SALUTES.finditer(text) if _begins_sentence(text, one.start())
    )
    if (opens := next(opening, None)) is not None:
        yield Begun(opens, len(text), plain=False)
    if signature(text):
        yield Begun(0, len(text), plain=False)


def signature(text: str) -> tuple[int, int] | None:
    """Return where a text that greets somebody by name is signed: "Love, Auntie Jean"."""
    if not _GREETS.match(text):
        return None
    found = _SIGNED.search(text, max(0, len(text) - _LONGEST_LEAD))
    return found.span("signed") if found else None


def _passed_on(
    text: str, form: re.Pattern[str], judged: Callable[[str, re.Match[str]], bool | None]
) -> Iterator[Begun]:
    """Yield what clauses of a form introduce, up to one behind which nothing else is said."""
    for found in form.finditer(text):
        if (plain := judged(text, found)) is not None:
            end = _end(text, found.end())
            yield Begun(found.end(), end, plain)
            if plain and end == len(text):
                return


def _heads(text: str) -> Iterator[Begun]:
    """Yield where the head of a letter begins a line."""
    heads = [one for one in _LINE_HEAD.finditer(text) if _is_head(one)]
    named = [one for one in heads if one["sender"] or one["subject"]]
    if len(heads) > 1:
        yield Begun(heads[0].start(), len(text), plain=True)
    elif named:
        plain = bool(named[0]["sender"]) and _is_sender(named[0]["value"])
        yield Begun(named[0].start(), len(text), plain)
    if passed := _PASSES_ON.search(text):
        yield Begun(passed.start(), len(text), plain=True)
    if reply := _REPLY.search(text):
        yield Begun(reply.start(), len(text), plain=False)


def _among_words(text: str) -> Iterator[Begun]:
    """Yield where a line of a head stands among other words: "fyi: From: Karel <…> I moved"."""
    said = [one for one in _IN_LINE.finditer(text) if _is_head(one)]
    large = [one for one in said if one["name"][0].isupper()]
    names = {one["name"].casefold() for one in large}
    if len(names) > 1 and (any(one["subject"] for one in large) or _ADDRESS.search(text)):
        yield Begun(large[0].start(), len(text), plain=True)
    for one in said:
        apart = not text[: one.start()].rstrip(" \t*_\u00a0")[-1:].isalnum()
        capital, address = one["name"][0].isupper(), _ADDRESS.search(one["value"])
        if not (apart or capital or (address and one["sender"])):
            continue
        if one["technical"]:
            yield Begun(one.start(), len(text), plain=True)
        elif one["sender"] or one["subject"]:
            sent = bool(one["sender"]) and _is_sender(one["value"])
            plain = sent and (apart or bool(capital and address))
            yield Begun(one.start(), len(text), plain)


def _is_head(found: re.Match[str]) -> bool:
    """Return whether what looks like a line of a head is none of "From: now on I eat no meat"."""
    return not (found["sender"] and _DAY.match(found["value"]))


def _is_sender(value: str) -> bool:
    """Return whether what stands behind "From:" names somebody."""
    if _ADDRESS.search(value):
        return True
    named = not value[0].islower() and not _OF_ONESELF.match(value)
    return named or (len(value.split()) < _SHORT and not _OF_ONESELF.match(value))


def _quotes(text: str, found: re.Match[str]) -> bool | None:
    """Return whether a clause plainly quotes another; None where the person quotes themselves."""
    lead = _lead(text, found.start())
    if _ONESELF_BEFORE.search(lead) or _ONESELF_AFTER.match(found["between"]):
        return None
    within = _ONESELF_WITHIN.search(lead)
    if found["written"] and within:
        return None
    wrote = bool(found["wrote"] or found["written"])
    return wrote and not within and not _OBJECT.match(found["between"])


def _announces(text: str, found: re.Match[str]) -> bool | None:
    """Return whether a clause plainly announces a copy of what came; None where it does not."""
    clause = _lead(text, found.start()) + text[found.start() : found.end("between")]
    if _SENT_BY_ONESELF.search(clause) or _DANGLING.search(clause):
        return None
    shows, got = _SHOWS.search(clause), _GOT.search(clause)
    ends = bool(found["plain"])
    if shows and got:
        return ends and bool(found["copy"])
    if not ends or not found["copy"] or not (shows or got) or found["plain"][0] not in ":：":
        return None
    return None if shows and _OF_ONES_OWN.search(clause) else False


def _begins_sentence(text: str, at: int) -> bool:
    """Return whether a sentence or a line begins at a place, as a salutation does."""
    before = text[max(0, at - _LONGEST_LEAD) : at].rstrip(" \t*_\u00a0\"“„«'‘(")
    return before[-1:] in ("", *".!?:;…\n-–—")


def _lead(text: str, at: int) -> str:
    """Return what stands before a place in its sentence."""
    before = text[max(0, at - _LONGEST_LEAD) : at]
    return _SENTENCE_START.split(before)[-1]


def _end(text: str, at: int) -> int:
    """Return where a quotation ends: at the mark that closes it, if one opened it."""
    opening = _LETTER.search(text, at)
    first = opening.start() if opening else at
    closing = _CLOSING.get(text[first : first + 1], "")
    ends = [end for mark in closing if (end := text.find(mark, first + 1)) >= 0]
    return min(ends) + 1 if ends else len(text)
