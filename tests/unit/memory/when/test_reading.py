"""Questions say times in many ways; names, verbs, habits and other languages say none."""

import string
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.memory.when.reading import read, without
from app.memory.when.spans import Bearing, Side

BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = datetime(2026, 5, 8, 10, tzinfo=UTC)

# Question, its words for the time, and the range: days are given first and last, both within.
RANGES = [
    ("What did I do in 2023?", "in 2023", "2023-01-01 2023-12-31"),
    ("What did I do back in 2019?", "back in 2019", "2019-01-01 2019-12-31"),
    ("What did I say last March?", "last March", "2026-03-01 2026-03-31"),
    ("What did I say last May?", "last May", "2025-05-01 2025-05-31"),
    ("What did I eat in March?", "in March", "2026-03-01 2026-03-31"),
    ("What did I eat in september?", "in september", "2025-09-01 2025-09-30"),
    ("What happened this March?", "this March", "2026-03-01 2026-03-31"),
    ("What did i do this may?", "this may", "2026-05-01 2026-05-31"),
    ("What did I do in May?", "in May", "2026-05-01 2026-05-31"),
    ("Where was I in March 2024?", "in March 2024", "2024-03-01 2024-03-31"),
    ("Where was I in Mar. 2024?", "in Mar. 2024", "2024-03-01 2024-03-31"),
    ("Where was I in March of 2024?", "in March of 2024", "2024-03-01 2024-03-31"),
    ("Where was I in March last year?", "in March last year", "2025-03-01 2025-03-31"),
    ("What did I buy in early March?", "in early March", "2026-03-01 2026-03-13"),
    ("Who did I meet in mid-March?", "in mid-March", "2026-03-08 2026-03-24"),
    ("What did I buy in late March 2024?", "in late March 2024", "2024-03-19 2024-03-31"),
    ("Who came at the end of last month?", "at the end of last month", "2026-04-19 2026-04-30"),
    ("Who came in the first week of April?", "in the first week of April",
     "2026-04-01 2026-04-07"),
    ("What did I write on 9 June 2023?", "on 9 June 2023", "2023-06-09 2023-06-09"),
    ("What did Ann do on 3 June, 2023?", "on 3 June, 2023", "2023-06-03 2023-06-03"),
    ("Who came on June 9,2024?", "on June 9,2024", "2024-06-09 2024-06-09"),
    ("Who came in the spring of '99?", "in the spring of '99", "1999-03-01 1999-05-31"),
    ("Who came on June 9th?", "on June 9th", "2025-06-09 2025-06-09"),
    ("Who came on the 9th of April?", "on the 9th of April", "2026-04-09 2026-04-09"),
    ("Who came on Sunday, June 9th, 2024?", "on Sunday, June 9th, 2024", "2024-06-09 2024-06-09"),
    ("What happened on 25/12/2023?", "on 25/12/2023", "2023-12-25 2023-12-25"),
    ("What happened on 12/25/23?", "on 12/25/23", "2023-12-25 2023-12-25"),
    ("What happened on 9.6.2023?", "on 9.6.2023", "2023-06-09 2023-06-09"),
    ("What happened on 2023-06-09?", "on 2023-06-09", "2023-06-09 2023-06-09"),
    ("What did I note on the 14th?", "on the 14th", "2026-04-14 2026-04-14"),
    ("What did I note on the 3rd of last month?", "on the 3rd of last month",
     "2026-04-03 2026-04-03"),
    ("What did I do on Tuesday?", "on Tuesday", "2026-05-05 2026-05-05"),
    ("What did I do on Friday?", "on Friday", "2026-05-01 2026-05-01"),
    ("What did we discuss last Tuesday?", "last Tuesday", "2026-05-05 2026-05-05"),
    ("What did I do on Sat?", "on Sat", "2026-05-02 2026-05-02"),
    ("What did I do on Tuesday last week?", "on Tuesday last week", "2026-04-28 2026-04-28"),
    ("What did I do yesterday?", "yesterday", "2026-05-07 2026-05-07"),
    ("What did I do the day before yesterday?", "the day before yesterday",
     "2026-05-06 2026-05-06"),
    ("What did I do today?", "today", "2026-05-08 2026-05-08"),
    ("What did I say this morning?", "this morning", "2026-05-08 2026-05-08"),
    ("What did I dream last night?", "last night", "2026-05-07 2026-05-08"),
    ("What did I say last week?", "last week", "2026-04-27 2026-05-03"),
    ("What did I say in last week's note?", "in last week's", "2026-04-27 2026-05-03"),
    ("What did I do last weekend?", "last weekend", "2026-05-01 2026-05-03"),
    ("What did I do over the weekend?", "over the weekend", "2026-05-01 2026-05-03"),
    ("What did I read this month?", "this month", "2026-05-01 2026-05-31"),
    ("What did I pay the year before last?", "the year before last", "2024-01-01 2024-12-31"),
    ("What did I do earlier this year?", "earlier this year", "2026-01-01 2026-05-08"),
    ("What did I earn last year?", "last year", "2025-01-01 2025-12-31"),
    ("Where did we go last summer?", "last summer", "2025-06-01 2025-08-31"),
    ("Where did we go in the summer?", "in the summer", "2025-06-01 2025-08-31"),
    ("Where did we go in the summer of 2019?", "in the summer of 2019", "2019-06-01 2019-08-31"),
    ("Where did we go last autumn?", "last autumn", "2025-09-01 2025-11-30"),
    ("Where did we go last spring?", "last spring", "2025-03-01 2025-05-31"),
    ("Did I ski last winter?", "last winter", "2025-12-01 2026-02-28"),
    ("What did I say two days ago?", "two days ago", "2026-05-06 2026-05-06"),
    ("What did I say three weeks ago?", "three weeks ago", "2026-04-14 2026-04-20"),
    ("What did I say 3 wks ago?", "3 wks ago", "2026-04-14 2026-04-20"),
    ("What did I say about four months ago?", "about four months ago", "2025-12-21 2026-01-26"),
    ("Where did I live two years ago?", "two years ago", "2024-01-01 2024-08-06"),
    ("Where did I live more than two years ago?", "more than two years ago", "- 2024-05-08"),
    ("What did I write 1 year and 2 months ago?", "1 year and 2 months ago",
     "2025-02-02 2025-04-11"),
    ("What did I read in the last ten days?", "in the last ten days", "2026-04-28 2026-05-08"),
    ("What did I spend over the past month?", "over the past month", "2026-04-08 2026-05-08"),
    ("What has happened since Tuesday?", "since Tuesday", "2026-05-05 -"),
    ("What did I learn since January?", "since January", "2026-01-01 -"),
    ("What did I do before 2020?", "before 2020", "- 2019-12-31"),
    ("What did I write until March 2024?", "until March 2024", "- 2024-03-31"),
    ("How much had I saved by July 10, 2025?", "by July 10, 2025", "- 2025-07-10"),
    ("What did I do after 9 June 2023?", "after 9 June 2023", "2023-06-10 -"),
    ("What did I do between March and May 2024?", "between March and May 2024",
     "2024-03-01 2024-05-31"),
    ("What happened between November and February?", "between November and February",
     "2025-11-01 2026-02-28"),
    ("What did I do from Monday to Wednesday?", "from Monday to Wednesday",
     "2026-05-04 2026-05-06"),
    ("What did I do from 3 to 9 June 2023?", "from 3 to 9 June 2023", "2023-06-03 2023-06-09"),
    ("What did I do from 2019 to 2021?", "from 2019 to 2021", "2019-01-01 2021-12-31"),
    ("Where did I live in the nineties?", "in the nineties", "1990-01-01 1999-12-31"),
    ("Where did I live in the early 1980s?", "in the early 1980s", "1980-01-01 1984-01-01"),
    ("Who came two weeks before August 11, 2023?", "two weeks before August 11, 2023",
     "2023-07-25 2023-07-31"),
    ("Who came the week before August 3, 2023?", "the week before August 3, 2023",
     "2023-07-27 2023-08-02"),
    ("Who came on the Sunday before October 25, 2022?", "on the Sunday before October 25, 2022",
     "2022-10-23 2022-10-23"),
    ("Who came the day after 9 June 2023?", "the day after 9 June 2023", "2023-06-10 2023-06-10"),
    ("trip last summer", "last summer", "2025-06-01 2025-08-31"),
    ("Summarise what I said last week", "last week", "2026-04-27 2026-05-03"),
    ("Do you remember what I cooked in March?", "in March", "2026-03-01 2026-03-31"),
    ("I am back. What did I say on 9 June 2023?", "on 9 June 2023", "2023-06-09 2023-06-09"),
]  # fmt: skip
FAVOURED = [
    ("What have I been reading lately?", "lately", "2026-03-24 2026-05-08"),
    ("What did I cook recently?", "recently", "2026-03-24 2026-05-08"),
    ("What did we talk about the other day?", "the other day", "2026-04-24 2026-05-08"),
    ("What did I get for Christmas?", "for Christmas", "2025-12-18 2025-12-31"),
    ("What am I doing next week?", "next week", "2026-05-11 2026-05-17"),
    ("What do I have planned tomorrow?", "tomorrow", "2026-05-09 2026-05-09"),
    ("What did I plan for next Friday?", "for next Friday", "2026-05-15 2026-05-15"),
    ("What is Gwen bringing on Tuesday, and what did Sefa ask?", "on Tuesday",
     "2026-05-12 2026-05-12"),
    ("What is due on Thursday?", "on Thursday", "2026-05-14 2026-05-14"),
]  # fmt: skip
TIMELESS = [
    "What may I eat?", "May I eat walnuts?", "Did Sun Li call?", "Is April my friend's name?",
    "March on, soldier!", "How does the second May work?", "How does this may affect me?",
    "What did May say?", "Who is April Jones?", "What did August write?",
    "Do I like August Strindberg?", "What is June's phone number?", "Who came with April?",
    "What is the march of the penguins?", "Who was on the last March on Washington?",
    "Where did I last sit?", "What is my last name?", "What was my last week at Acme like?",
    "Do I like the summer house?", "Which fall did I take?", "Did I enjoy Freaky Friday?",
    "Did I watch Wednesday Addams?", "Did I like the film The Last Summer?",
    "Which shares did I buy at the last minute?", "What did I weigh half a year ago?",
    "Who has the spring in their step?", "What did Auntie June cook?",
    "What occupies Petra on Sunday?", "Which bus goes past my house?",
    "Who lives in Spring Street?", "Are there 2023 apples?",
    "Did I walk in 2000 steps?", "Who was my daughter named after?", "Who looks after the dog?",
    "When did I go camping in June?", "How long ago did I move?", "What month did I move in 2023?",
    "How long have I lived here since 2020?", "Can you tell me when I was in Rome in 2023?",
    "What do I do on Tuesdays?", "What do I do on Tuesday?", "Whose birthday is in May?",
    "What should I cook tonight?", "Can I eat walnuts this weekend?", "How are you today?",
    "Write a poem about tonight, should I?", "What do I drink before bed?",
    "I went to Rome yesterday.", "I am going to see Ruth on Friday", "Yesterday was lovely!",
    "What happened on 9/6/2023?", "What happened on 31 February 2023?", "", "Hi", "?",
    "Was habe ich am 3. Mai gemacht?", "Was habe ich im August gesagt?",
    "Wat heb ik in april 2023 gekocht?", "Qu'est-ce que j'ai dit en mars 2023 ?",
    "¿Qué comí en 2023 con mi familia?", "Cosa ho fatto in aprile con lei?", "我在2023年做了什么?",
]  # fmt: skip


def days(found):
    return f"{found.first_day or '-'} {found.last_day or '-'}"


@pytest.mark.parametrize(("text", "words", "expected"), RANGES)
def test_a_question_asks_for_a_time(text, words, expected):
    (span,) = read(text, FRIDAY, BERLIN).spans
    assert (span.text, days(span.range), span.bearing) == (words, expected, Bearing.RESTRICT)


@pytest.mark.parametrize(("text", "words", "expected"), FAVOURED)
def test_a_question_hints_at_a_time(text, words, expected):
    (span,) = read(text, FRIDAY, BERLIN).spans
    assert (span.text, days(span.range), span.bearing) == (words, expected, Bearing.FAVOUR)


@pytest.mark.parametrize("text", TIMELESS)
def test_a_question_without_a_time_is_left_alone(text):
    timing = read(text, FRIDAY, BERLIN)
    assert (timing.spans, timing.rest, timing.of_saying) == ((), text, False)


@pytest.mark.parametrize(
    ("text", "side", "anchor"),
    [
        ("What did I buy before my trip to Japan?", Side.BEFORE, "my trip to Japan"),
        ("What did we do after the wedding?", Side.AFTER, "the wedding"),
        ("Who visited me since Ruth's operation?", Side.AFTER, "Ruth's operation"),
    ],
)
def test_an_event_is_named_for_its_date_to_be_looked_up(text, side, anchor):
    timing = read(text, FRIDAY, BERLIN)
    (span,) = timing.spans
    assert (span.side, span.anchor, span.range) == (side, anchor, None)
    assert span.bearing is Bearing.FAVOUR
    assert timing.rest == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I do since March but before last week?", ["2026-03-01 2026-04-26"] * 2),
        ("What did I do last Friday, 23 January 2026?", ["2026-01-23 2026-01-23"] * 2),
        ("What did I do in March and in April?", ["2026-03-01 2026-03-31",
                                                  "2026-04-01 2026-04-30"]),
        ("What did I say yesterday about my trip in 2023?", ["2026-05-07 2026-05-07",
                                                             "2023-01-01 2023-12-31"]),
    ],
)  # fmt: skip
def test_two_times_in_one_question(text, expected):
    assert [days(span.range) for span in read(text, FRIDAY, BERLIN).spans] == expected


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What did I say about tea last March?", "What did I say about tea ?"),
        ("In March 2024, what did I cook?", ", what did I cook?"),
        ("What did I get for Christmas?", "What did I get for Christmas?"),
        ("What did I cook recently?", "What did I cook ?"),
    ],
)
def test_the_words_of_a_time_asked_for_are_no_search_words(text, rest):
    assert read(text, FRIDAY, BERLIN).rest == rest


@pytest.mark.parametrize(
    ("text", "of_saying"),
    [
        ("What did I say last March?", True),
        ("What did we talk about yesterday?", True),
        ("What did I do last March?", False),
        ("What did I say to my sister last March?", False),
    ],
)
def test_what_was_said_is_told_from_what_happened(text, of_saying):
    assert read(text, FRIDAY, BERLIN).of_saying is of_saying


def test_a_day_begins_where_the_person_is():
    (span,) = read("What did I do yesterday?", FRIDAY, BERLIN).spans
    assert span.range.start == datetime(2026, 5, 6, 22, tzinfo=UTC)
    assert span.range.end == datetime(2026, 5, 7, 22, tzinfo=UTC)


def test_today_is_the_day_where_the_person_is():
    late = datetime(2026, 5, 8, 23, 30, tzinfo=UTC)
    (here,) = read("What did I do today?", late, BERLIN).spans
    (there,) = read("What did I do today?", late, UTC).spans
    assert (days(here.range), days(there.range)) == (
        "2026-05-09 2026-05-09",
        "2026-05-08 2026-05-08",
    )


def test_a_day_is_23_hours_long_when_the_clock_goes_forward():
    monday = datetime(2026, 3, 30, 10, tzinfo=UTC)
    (span,) = read("What did I do yesterday?", monday, BERLIN).spans
    assert span.range.length == timedelta(hours=23)


def test_a_range_says_what_it_is():
    texts = ["in 2023", "in March 2024", "yesterday", "since Tuesday", "before 2020", "last week",
             "from 2019 to 2021"]  # fmt: skip
    found = [str(read(f"What did I do {t}?", FRIDAY, BERLIN).spans[0].range) for t in texts]
    assert found == [
        "2023", "March 2024", "7 May 2026", "since 5 May 2026", "until 31 December 2019",
        "27 April 2026 – 3 May 2026", "2019–2021",
    ]  # fmt: skip


WORDS = st.sampled_from(
    [text.split("did I ")[-1].rstrip("?") for text, *_ in RANGES]
    + ["may", "march", "sun", "in", "on", "since", "before", "after", "last", "the", "3", "2023",
       "my trip", "did I", "what", "?", ".", "'s", "May", "and", "or", "between", "from", "to",
       "ago", "week", "every", "in the 31st of", "9999 years ago", "12 decades ago", "0 days ago"]
)  # fmt: skip
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))


@given(st.lists(WORDS, max_size=8).map(" ".join), MOMENTS)
def test_spans_lie_within_the_text_in_order_and_ranges_are_ordered(text, now):
    timing = read(f"What did I do {text}?", now, BERLIN)
    whole, place = f"What did I do {text}?", 0
    for span in timing.spans:
        assert place <= span.start < span.end <= len(whole)
        assert whole[span.start : span.end] == span.text
        assert (span.range is None) == bool(span.anchor)
        if span.range and span.range.start and span.range.end:
            assert span.range.start < span.range.end
        place = span.end
    if not timing.spans:
        assert timing.rest == whole


@given(st.text(string.printable + "äß中’", max_size=120), MOMENTS)
def test_no_text_breaks_the_reading(text, now):
    timing = read(text, now, BERLIN)
    if not timing.spans:
        assert timing.rest == text


@given(
    st.sampled_from(["yesterday", "last week", "three weeks ago", "on Tuesday", "today",
                     "the day before yesterday", "over the weekend", "recently"]),
    MOMENTS,
    st.integers(1, 300),
)  # fmt: skip
def test_a_relative_range_moves_with_the_present_by_whole_weeks(words, now, weeks):
    later = now + timedelta(weeks=weeks)
    (one,) = read(f"What did I do {words}?", now, UTC).spans
    (other,) = read(f"What did I do {words}?", later, UTC).spans
    assert other.range.start - one.range.start == timedelta(weeks=weeks)
    assert other.range.end - one.range.end == timedelta(weeks=weeks)


@given(st.dates(datetime(1990, 1, 1).date(), datetime(2090, 1, 1).date()), st.integers(0, 4000))
def test_a_date_with_its_year_means_that_day_whatever_the_present(day, later):
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) + timedelta(days=later)
    assume(later > 0)
    for written in (f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day:%Y-%m-%d}"):
        (span,) = read(f"What did I do on {written}?", now, UTC).spans
        assert span.range.first_day == span.range.last_day == day


def test_a_text_without_spans_is_returned_as_it_is():
    assert without(" a  b ", []) == " a  b "
