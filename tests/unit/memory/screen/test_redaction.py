"""Secrets and personal numbers leave marks; what only looks like them stays."""

import re

import pytest

from app.memory.screen.redaction import listed, redact, says_something, without_secrets
from app.memory.screen.words import ScreenedWords

KEYS = [
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghijklmnopqrst1234",
    "github_pat_11ABCDEFG0abcdefghij_klmnop",
    "glpat-abcdefghijklmnop1234",
    "xoxb-1234567890-abcdefghij",
    "sk_live_abcdefghijklmnop",
    "whsec_abcdefghijklmnop1234",
    "sk-abcdefghijklmnop1234567890",
    "sk-ant-api03-abcdefghijklmnop",
    "AIzaSyA1234567890abcdefghijklmnop",
    "gsk_abcdefghijklmnop1234",
    "xai-abcdefghijklmnop1234",
    "tvly-abcdefghijklmnop",
    "hf_abcdefghijklmnopqrstuvwx",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4",
    "dckr_pat_abcdefghijklmnopqrstu",
    "dop_v1_0123456789abcdef0123456789abcdef",
    "SG.abcdefghijklmnop1234.abcdefghijklmnop1234",
    "SK0123456789abcdef0123456789abcdef",
    "key-0123456789abcdef0123456789abcdef",
    "ASIAABCDEFGHIJKLMNOP",
    "xapp-1-abcdefghij12",
    "ya29.abcdefghijklmnopqrst",
    "GOCSPX-abcdefghijklmnopqrst",
    "r8_abcdefghijklmnopqrstuv",
    "pplx-abcdefghijklmnopqrstuv",
    "nvapi-abcdefghijklmnopqrstuv",
    "secret_abcdefghijklmnopqrstuvwxyz0123456",
    "ntn_abcdefghijklmnopqrstuvwxyz0123456",
    "PMAK-0123456789abcdef01234567-0123456789abcdef01234567",
    "sq0atp-abcdefghijklmnopqrstuv",
    "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0",
    "https://discord.com/api/webhooks/123456/abcdefghijklmnopqrstuv",
    "shpat_0123456789abcdef0123456789abcdef",
    "hvs.abcdefghijklmnopqrstuv",
    "lin_api_abcdefghijklmnopqrstuvwxyz012345",
    "123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
    "eyJhbGciOiJIUzI1NiIs.eyJzdWIiOiIxMjM0NTY3.SflKxwRJSMeKKF2QT4",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXX",
    "AccountKey=abcdefghijklmnopqrstuvwxyz0123456789==",
]
PRIVATE = [
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjE",
    "AGE-SECRET-KEY-1QQPQZRFR7ZZ2WCVFJGHNLR0NXRS",
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6Ln",
    "PuTTY-User-Key-File-3: ssh-ed25519 Encryption: none",
]
CARDS = [
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4111111111111111",
    "5500 0000 0000 0004",
    "2223 0031 2200 3222",
    "3400 000000 00009",
    "6011000000000004",
    "36227206271667",
    "3530 1113 3330 0000",
    "6759649826438453",
    "5018000000007",
    "6200 0000 0000 0005",
    "6500 0000 0000 0002",
    "6440 0000 0000 0005",
    "30569309025904",
    "2720 9900 0000 0007",
    "2500 0000 0000 0001",
    "2310 0000 0000 0001",
    "2700 0000 0000 0009",
    "4012 0000 3333 0026 008",
]
PERSONAL = [
    ("My IBAN is {} .", "BE71 0961 2345 6769", "IBAN"),
    ("I am paid to {}, thank you", "be71096123456769", "IBAN"),
    ("wire it to {} please", "GB82 WEST 1234 5698 7654 32", "IBAN"),
    ("{} is what they asked", "536-90-4399", "social security number"),
    ("my social security number is {}", "536904399", "national number"),
    ("My national register number is {} and so on", "85.07.30-033.28", "national number"),
    ("my BSN: {}", "111222333", "national number"),
    ("My NHS number is {}.", "943 476 5919", "national number"),
    ("national insurance number {}", "AB123456C", "national number"),
    ("DNI {}", "54362315K", "national number"),
    ("my codice fiscale is {}", "RSSMRA85T10A562S", "national number"),
    ("her CPF is {}", "390.533.447-05", "national number"),
    ("my personal number is {}", "811228-9874", "national number"),
    ("mon NIR est {}", "2 95 10 99 126 111 93", "national number"),
    ("your Steuer-ID is {}", "36 574 261 809", "national number"),
    ("SVNR {}", "1237 010180", "national number"),
    ("my AHV is {}", "756.9217.0769.85", "national number"),
    ("my NIE: {}", "X-2482300W", "national number"),
    ("my NIF is {}", "501 964 843", "national number"),
    ("my PPS number is {}", "6433435F", "national number"),
    ("rodné číslo {}", "710319/2745", "national number"),
    ("personnummer {}", "811228-9874", "national number"),
    ("fødselsnummer {}", "151086 95088", "national number"),
    ("my CPR is {}", "211062-5629", "national number"),
    ("henkilötunnus {}", "131052-308T", "national number"),
    ("isikukood {}", "36805280109", "national number"),
    ("CURP {}", "BOXW310820HNERXN09", "national number"),
    ("my Aadhaar is {}", "2341 2341 2346", "national number"),
    ("my RRN is {}", "971013-9019902", "national number"),
    ("resident identity card {}", "360426199101010071", "national number"),
    ("kimlik {}", "17291716060", "national number"),
    ("my South African ID is {}", "7503305044089", "national number"),
    ("my SIN is {}", "123-456-782", "national number"),
    ("tax file number {}", "123 456 782", "national number"),
    ("my SSN: {}", "536904399", "national number"),
    ("citizen service number {}", "111222333", "national number"),
    ("the number on my ID card is {}", "85.07.30-033.28", "national number"),
    ("my PESEL is {}", "44051401359", "national number"),
    ("My passport number is {}", "EN123456", "passport number"),
    ("passport: {}", "C01234567", "passport number"),
]
PASSWORDS = [
    ("my password is {}", "hunter2", "password"),
    ("My Wifi password: {}", "blue-heron", "password"),
    ("the password for the blog was {}.", "s3cr3t!x", "password"),
    ("passphrase is {}", "correct horse battery staple", "password"),
    ("api key = {}", "abc123", "password"),
    ("secret access key: {}", "wJalrXUtnFEMI/K7MDENG", "password"),
    ("mot de passe : {}", "soleil7", "password"),
    ("log in at https://tom:{}@example.org/x", "pw1", "password"),
    ("The PIN for my bike is {}", "4711", "PIN"),
    ("my seed phrase is {}", "apple river stone moon lamp", "recovery phrase"),
]
HARMLESS = [
    "Your phone number is 0470 11 22 33, or +32 470 11 22 33",
    "Call the office on (020) 7946 0958 or 1-800-555-0199",
    "+4915112345678 is Lena, 0049 151 12345678 too",
    "You were born on 14-03-1986, in ISO 1986-03-14",
    "Your order 4111111111111111 is on its way",
    "Tracking number: 5500000000000004",
    "Order 536-90-4399 came on Monday",
    "You live at 221B Baker Street, London NW1 6XE",
    "Your house is number 1600, 20500 Washington",
    "The book has ISBN 978-3-16-148410-0",
    "You run Python 3.11.4 and Qt 6.11.1",
    "The router is at 192.168.178.1",
    "IMEI 490154203237518",
    "Your flight is SN2093 at 14:05 on 2026-05-02",
    "The years 2019 2020 2021 2022 were hard",
    "You won 1234567890123456 points",
    "Your passport runs out on 2 May 2027",
    "Your passport is in the desk drawer",
    "You forgot your password again",
    "Your password is too weak",
    "Your passwords are stored in KeePass",
    "Password is off, just swipe",
    "The pin is 4 digits long",
    "You pin butterflies and have 300 of them",
    "You had a CPR course with 12 colleagues",
    "NHS appointment on 12 May at 0900",
    "It is a sin to drink coffee after 16:00",
    "You ran 42.195 km in 3:58:12",
    "Your IQ test said 117 and your shoe size is 46",
    "The key is under the mat",
    "You teach at the key stage 2",
    "Version 2024.11.20-rc1 build 4111111",
    "Coordinates 51.0543, 3.7174",
    "sk-learn is a library you like",
]

RENEWED = [
    "My old PIN was {PIN:4411}, the new one is {PIN:9023}",
    "My PIN was {PIN:4411}. I changed it last week. The new one is {PIN:9023}.",
    "The PIN changed from {PIN:4411} to {PIN:9023}",
    "I changed the PIN of my card to {PIN:9023} yesterday",
    "My PIN was {PIN:4411} but the gym changed it to {PIN:9023}",
    "my pin's {PIN:9023}",
    "My PIN is now {PIN:9023}, it was {PIN:4411} before",
    "My PIN isn't {PIN:4411}, it's {PIN:9023}",
    "{PIN:9023} is my new PIN",
    "{PIN:4411} was my PIN, now it's {PIN:9023}",
    "Old pin {PIN:4411}, new pin {PIN:9023}",
    "Pin code for the bike: {PIN:4711}; since Monday it's {PIN:8822}",
    "Meine alte PIN war {PIN:4411}, die neue ist {PIN:9023}",
    "my wifi password was {password:hunter2}, it's now {password:tulip99}",
    "my wifi password was {password:blue heron}, it's now {password:tulip}",
    "I changed my wifi password to {password:tulip99}",
    "the wifi password went from {password:hunter2} to {password:tulip99}",
    "my password's {password:tulip99}",
    "{password:tulip99} is our wifi password",
    "Our wifi key is {password:tulip99}",
    "My phone passcode changed: it was {password:445566}, now {password:778899}",
    "my old password was {password:sunshine} and the new one is {password:moonlight}",
]
NOT_RENEWED = [
    "my pin number 12 in bowling",
    "my pin number 144 in bowling, the new one is 190",
    "My PIN is safe. I bought a bike, the new one is 9023 euros",
    "My PIN is safe, and my bike was 800, the new one is 9023",
    "I sold my old bike for 450, the new one is 9023 euros",
    "I forgot my PIN. Rent is up, it's now 1200.",
    "I forgot my password again. My salary is 3000, it's now 3200",
    "I lost my PIN card. Our house number is 4411 now, it was 9023 before",
    "My PIN is safe. My alarm is set to 0630",
    "My PIN is safe, I moved to 1234 Elm Road",
    "My pin is from 1984",
    "Pin 1204 is the rarest in my collection",
    "The pin is 100 mm long",
    "My PIN is 4 digits, now it's 6 digits",
    "2020 was the year my PIN was stolen",
    "my password was weak, it's now better",
    "My password's length is twelve",
    "My password is stored in KeePass, it's now 2 years old",
    "I changed my password and then we went to Oslo",
    "I changed my password in 2024 and moved to Oslo",
    "The password for the trip from London to Paris is safe",
    "I need a password to login",
    "My password manager costs 36, the new one is 48",
]


@pytest.mark.parametrize("sentence", RENEWED)
def test_a_secret_is_left_out_wherever_it_stands(sentence):
    said = re.sub(r"\{\w+:([^}]+)\}", r"\1", sentence)
    assert redact(said).text == re.sub(r"\{(\w+):[^}]+\}", r"[\1]", sentence)
    assert redact(said, asked=True).text == said
    assert redact(redact(said).text).left_out == ()


@pytest.mark.parametrize("text", NOT_RENEWED)
def test_what_is_said_beside_a_secret_is_none(text):
    assert redact(text).left_out == ()


def test_what_is_named_around_a_memory_is_left_out_of_it():
    around = "My PIN was 4411. The new one is 9023. I like tea."
    clean, left_out = without_secrets(
        ScreenedWords("The new one is 9023, Tom knows it", around=around)
    )
    assert (clean.text, left_out) == ("The new one is [PIN], Tom knows it", ("PIN",))
    tea = ScreenedWords("I like tea", around=around)
    assert without_secrets(tea) == (tea, ())


@pytest.mark.parametrize("key", KEYS)
def test_keys_of_services_are_left_out_even_if_asked_for(key):
    for asked in (False, True):
        assert redact(f"the key is {key} ok", asked=asked).left_out == ("API key",)
    assert redact(f"You use {key} for Foo").text.startswith("You use [API key]")


def test_what_stands_after_bearer_is_a_key():
    said = "curl -H 'Authorization: Bearer abcdefghijklmnop12345678'"
    assert redact(said).text == "curl -H 'Authorization: Bearer [API key]'"
    assert redact("The bearer of good news is Ann").left_out == ()


@pytest.mark.parametrize("key", PRIVATE)
def test_private_keys_are_left_out_whole_even_if_asked_for(key):
    for asked in (False, True):
        assert redact(f"My key: {key}", asked=asked).text == "My key: [private key]"


@pytest.mark.parametrize("card", CARDS)
def test_payment_cards_are_left_out_even_if_asked_for(card):
    for asked in (False, True):
        found = redact(f"You pay the gym with {card}, monthly", asked=asked)
        assert found.text == "You pay the gym with [card number], monthly"
        assert found.left_out == ("card number",)


def test_a_card_security_code_is_left_out_even_if_asked_for():
    assert redact("the CVV is 123", asked=True).text == "the CVV is [card security code]"


def test_a_number_whose_check_digit_is_wrong_is_another_number():
    wrong = "My card 4111 1111 1111 1112, IBAN BE71 0961 2345 6760, BSN 111222334"
    assert redact(wrong).left_out == ()


@pytest.mark.parametrize(("sentence", "number", "what"), PERSONAL)
def test_numbers_of_a_person_are_left_out_unless_asked_for(sentence, number, what):
    said = sentence.format(number)
    assert redact(said).text == sentence.format(f"[{what}]")
    assert redact(said, asked=True).text == said


@pytest.mark.parametrize(("sentence", "secret", "what"), PASSWORDS)
def test_passwords_are_left_out_unless_asked_for(sentence, secret, what):
    said = sentence.format(secret)
    assert redact(said).text == sentence.format(f"[{what}]")
    assert redact(said, asked=True).text == said


@pytest.mark.parametrize("text", HARMLESS)
def test_no_false_alarm(text):
    assert redact(text).left_out == ()


@pytest.mark.parametrize("text", [s.format(n) for s, n, _ in (*PERSONAL, *PASSWORDS)])
def test_a_second_time_leaves_out_nothing_more(text):
    once = redact(text)
    assert redact(once.text).left_out == ()


def test_the_rest_of_a_sentence_stays():
    text = "My wifi password is blue heron and the router is in the attic"
    assert redact(text).text == "My wifi password is [password] and the router is in the attic"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Your wifi password is [password]", False),
        ("Your IBAN is [IBAN]", False),
        ("My old PIN was [PIN], the new one is [PIN]", False),
        ("[API key]", False),
        ("Your Visa card number is [card number]", False),
        ("You pay the gym with [card number]", True),
        ("Your wifi password is [password] and the router is in the attic", True),
    ],
)
def test_whether_the_rest_says_something(text, says):
    assert says_something(text) is says


def test_what_is_found_in_one_place_is_left_out_of_all():
    words = ScreenedWords(
        text="Your code for the bike is 4711",
        quotes=("my bike PIN is 4711",),
        value={"code": "47-11", "locks": [4711, 2, True, None]},
        key="bike_code",
        tags=("4711", "bike"),
        names=("Bike 4711", "Bike"),
    )
    clean, left_out = without_secrets(words)
    assert left_out == ("PIN",)
    assert clean.text == "Your code for the bike is [PIN]"
    assert clean.quotes == ("my bike PIN is [PIN]",)
    assert clean.value == {"code": "[PIN]", "locks": ["[PIN]", 2, True, None]}
    assert (clean.key, clean.tags, clean.names) == ("bike_code", ("bike",), ("Bike",))


def test_a_number_that_is_a_value_is_read_as_well():
    clean, left_out = without_secrets(ScreenedWords("You have a card", value=4111111111111111))
    assert (clean.value, left_out) == ("[card number]", ("card number",))


def test_words_without_secrets_are_the_same_words():
    words = ScreenedWords(
        "You like tea", ("I like tea",), {"drink": "tea"}, "drink", ("food",), ("tea",)
    )
    assert without_secrets(words) == (words, ())


def test_what_is_left_out_is_told_in_words():
    assert listed(["card number"]) == "the card number"
    assert listed(["card number", "PIN", "IBAN"]) == "the card number, the PIN and the IBAN"
