"""Which messages are in a language that the reader was not taught: surely so, or they are read."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.memory.reading import language
from app.memory.reading.language import is_foreign

HERE = Path(__file__).parent
TAUGHT = Path(__file__).parents[4] / "packaging/models/understanding/data"
OTHERS = json.loads((HERE / "other_languages.json").read_text("utf-8"))
LONG_ENOUGH = 5  # words
UNSPACED = {"ja": 10, "zh": 8}  # as many letters


def said(value):
    """Yield what persons say in a row of the training data."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("said", "message") and isinstance(inner, str):
                yield inner
            else:
                yield from said(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from said(inner)


def long_enough(code, text):
    return len(text) >= UNSPACED[code] if code in UNSPACED else len(text.split()) >= LONG_ENOUGH


def test_nine_of_ten_messages_in_other_languages_are_told_and_no_language_is_passed_over():
    assert len(OTHERS) == 15
    asked = {code: [t for t in ts if long_enough(code, t)] for code, ts in OTHERS.items()}
    told = {code: sum(map(is_foreign, texts)) for code, texts in asked.items()}
    assert sum(told.values()) >= 0.9 * sum(map(len, asked.values())) > 90
    assert all(told[code] >= len(texts) / 2 for code, texts in asked.items())


def test_of_all_messages_that_the_reader_learnt_from_none_is_refused():
    messages = set()
    for file in TAUGHT.glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            messages.update(said(json.loads(line)))
    assert len(messages) > 20_000
    refused = [text for text in messages if is_foreign(text)]
    assert len(refused) <= 0.0005 * len(messages), refused


@pytest.mark.parametrize(
    "text",
    [
        # names
        "My colleagues are Nguyễn Văn Toàn, Trần Thị Hồng and Phạm Quang Huy",
        "Wojciech Szczepański, Małgorzata Wiśniewska, Zbigniew Kowalczyk",
        "Our neighbours: Yıldız Çelik, Gökhan Şahin, Özlem Kaya",
        "I grew up in Székesfehérvár, then Hódmezővásárhely, then Kiskunfélegyháza",
        "Giovanni Battista Montini, via della Conciliazione 14, 00193 Roma",
        "kids: Tomasz, Zuzanna, Stanisław; dog: Burek; street: Świętokrzyska",
        "metformin 500, ramipril 2.5, atorvastatin 40, levothyroxine 75, omeprazole 20",
        # two languages
        'My nonna always said "chi va piano va sano e va lontano" and she lived to 97.',
        "Kal doctor ke paas gaya tha, he said my sugar is too high and I must stop mithai",
        "Mia madre è di Bari, but I grew up in Leeds and my Italian is terrible.",
        "My wife says 我爱你 every morning and I never learnt more Mandarin than that.",
        "Habe heute mit Oma telefoniert, sie sagte nur „kocham cię bardzo, mój skarbie“",
        "I love pasta alla norma, spaghetti alle vongole, melanzane alla parmigiana",
        "Meine Lieblingsgerichte: spaghetti alle vongole, saltimbocca alla romana",
        'Translate for me: "Mia figlia è allergica alle noccioline e non può mangiare la torta."',
        "Ieri mia mamma mi ha chiamato e mi ha detto che la zia Rosa sta meglio. Anyway, I told her"
        " I can't come before June because of my exams.",
        "Oma hat gesagt: mój wnuczku kochany, pamiętaj żeby zawsze nosić czapkę w zimie bo się"
        " przeziębisz. Das sagt sie jedes Jahr.",
        "Lyrics I sing to my baby: Aa, kotki dwa, szarobure, szarobure obydwa, nic nie będą robiły",
        "Estoy super tired, trabajé el night shift y mi hermana is coming tomorrow con los niños",
        # dialects, and languages written much like one of the five
        "ah dinnae eat meat, havnae since ah wis wee, ma maw wis the same",
        "Ich ha hüt am Morge mim Hund müesse zum Tierarzt, er het e Zecke gha",
        "I hob an Hund, der hoaßt Wastl, und a Katz homma a no",
        "Ick bün in Hamborg opwussen un snack to Huus jümmers Platt",
        "'k Zen van Antwaarpe, mor 'k woon al tien joar in Gent me mijn madam",
        "I no dey chop meat again since last year, na doctor talk am",
        "mi granny come from Jamaica, she did raise me an mi two sista dem",
        "chuis allée chez l'dentiste hier pis y m'a arraché une dent, ça m'a coûté une fortune",
        "Wesh frère, chui trop deg, ma daronne elle m'a tej de la baraque",
        "Mi arma, yo soy de Cádiz y aquí ejtamo to er día en la playa",
        "Bon dia, visc a Girona i treballo de mestra, tinc dues filles i un gos",
        "Ola! Son galega de Ourense e traballo nun hospital, teño dous fillos",
        "Ek bly in Stellenbosch en my vrou werk by die universiteit",
        "Moien, ech wunnen zu Esch an schaffen an der Stad, meng Fra ass Portugisin",
        # hasty and bare
        "i ahve an alergy to pencilin adn my dauhter has asthme",
        "mt husbnad wrks nighst at teh warehosue in dagnham",
        "ic hbin alergish gegn nüse und mein son auc",
        "soi alerjica ala penisilina desde q era ninia",
        "jsui alergik o noiset depui ke jsui piti",
        "gonna b l8 2nite, mum still in hosp w/ her hip, txt u l8r",
        "lol lol lol hahahaha jajaja xD",
        "landed, knackered, kids asleep, bags still missing",
        "lijstje: melk brood kaas eieren boter hagelslag",
        "Einkaufsliste: Milch Brot Käse Eier Butter Nudeln",
        "tikka masala korma vindaloo biryani naan paneer",
        # no language at all
        "hsdkfh sdkjfh skdjfh sdkjfhs kdjfh",
        "def fib(n): return n if n <= 1 else fib(n-1) + fib(n-2)",
        "https://example.org/pl/produkty/nowa-kolekcja-wiosna-lato-dla-calej-rodziny",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        "",
        " \n",
    ],
)
def test_names_mixtures_dialects_and_hasty_words_are_read(text):
    assert not is_foreign(text)


@pytest.mark.parametrize("text", ["Mi chiamo Giulia.", "Jag heter Maja.", "Я из Минска.", "ciao"])
def test_a_few_words_are_read_in_whatever_language(text):
    assert not is_foreign(text)


def test_a_long_message_is_told_by_all_of_it():
    long = " ".join(OTHERS["it"]) * 20
    assert is_foreign(long)
    assert not is_foreign(f"{OTHERS['it'][0]} That's what my mother-in-law wrote about our girl.")


def test_what_is_plain_is_told_without_the_library(monkeypatch):
    def opened():
        raise AssertionError("the library was opened")

    monkeypatch.setattr(language, "_library", opened)
    for text in (
        "My daughter is allergic to peanuts and the school knows.",
        "Ich wohne seit März in Leipzig und arbeite nachts im Krankenhaus.",
        "Soy alérgica a los cacahuetes y vivo en Sevilla.",
        "J’habite à Lyon avec mon mari et nos deux filles.",
        "Ik woon in Gent en mijn vrouw werkt in het ziekenhuis.",
        "Mi chiamo Giulia.",
    ):
        assert not is_foreign(text)


def test_a_message_is_told_in_a_few_milliseconds():
    texts = [text for texts in OTHERS.values() for text in texts]
    assert any(map(is_foreign, texts))  # the library is open
    start = time.process_time()
    for text in texts:
        is_foreign(text)
    assert (time.process_time() - start) / len(texts) < 0.005


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_told(text):
    assert is_foreign(text) in (True, False)
