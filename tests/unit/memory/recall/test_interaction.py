from app.domain.conversation import Role
from app.domain.reason import words
from app.domain.recall import HitKind
from app.providers.local.hash import HashEmbedder

FILLER = (
    "The kettle is broken again.",
    "I watched a film about trains last night.",
    "My back hurts after the gym.",
    "We should repaint the fence in spring.",
)


def test_a_reply_is_found_by_what_it_replies_to(world):
    talk = world.conversations.create(1)
    world.say("Which breed is the new puppy of your neighbours?", talk=talk)
    world.say("A dachshund, and it barks all day long.", talk=talk)
    for line in FILLER:
        world.say(line)
    world.index()
    found = world.texts("What breed is the neighbours' puppy?")
    assert found[0] == "A dachshund, and it barks all day long."


def test_the_next_question_is_no_reply_to_the_one_before(world):
    world.say("I hate coriander.")
    talk = world.conversations.create(1)
    asked = ["Which herb do I dislike?", "Which nuts am I allergic to?", "What is my name?"]
    for text in (*asked, "How do I drink my coffee?", *asked):
        world.say(text, talk=talk)
    world.index()
    recall = world.recall("Which herb do I dislike?")
    found = [hit.text for hit in recall.hits if hit.text not in ("Which herb do I dislike?",)]
    assert found[0] == "I hate coriander."


def test_what_stands_beside_a_find_is_found_too_and_says_so(world):
    talk = world.conversations.create(1)
    world.say("Guess who called me this morning.", talk=talk)
    world.say("It was about the violin lessons of my daughter Ines.", talk=talk)
    for n in range(60):
        world.say(f"Note {n}: {FILLER[n % 4]}")
    world.index()
    recall = world.recall("Who called about the violin lessons of Ines?", limit=10)
    beside = next(hit for hit in recall.hits if hit.text.startswith("Guess who"))
    assert any(words(reason).startswith("around") for reason in beside.reasons)


def test_a_neighbour_that_is_still_in_view_stays_out(world):
    talk = world.conversations.create(1)
    said = world.say("I keep the spare key under the blue pot.", talk=talk)
    shown = world.say("The pot stands by the door.", talk=talk)
    world.index()
    recall = world.recall("Where is the spare key?", exclude=[shown.id], limit=10)
    assert said.id in {hit.id for hit in recall.hits}
    assert shown.id not in {hit.id for hit in (*recall.hits, *recall.dropped)}


def test_of_people_who_say_the_same_the_person_is_meant_by_i(world):
    world.say("I am learning the cello.", speaker="Ruth")
    world.say("I am learning the cello these days.")
    world.index()
    found = world.texts("Which instrument am I learning? Tell me mine.")
    assert found[0] == "I am learning the cello these days."


def test_memories_and_messages_are_on_one_scale(world):
    world.learn("You are allergic to walnuts")
    world.say("The walnut tree needs pruning.")
    world.index()
    first = world.recall("What am I allergic to?").hits[0]
    assert (first.kind, first.text) == (HitKind.MEMORY, "You are allergic to walnuts")
    assert any(words(reason).startswith("late interaction") for reason in first.reasons)


def test_an_embedder_without_token_vectors_changes_nothing(world, with_setting):
    world.embedder = HashEmbedder(256)
    world.say("I keep the spare key under the blue pot.")
    world.say("Do you have the key?", role=Role.ASSISTANT, model="m")
    world.index()
    on = world.recall("Where is the spare key?", limit=10)
    with_setting("rag.late_interaction", False)
    off = world.recall("Where is the spare key?", limit=10)
    assert [(h.id, h.score) for h in on.hits] == [(h.id, h.score) for h in off.hits]


def test_a_question_with_straight_quotes_is_ranked_by_late_interaction(world):
    world.say("I borrowed Dune from my aunt Vera.")
    world.index()
    recall = world.recall('Who lent me "Dune"?')
    assert recall.degraded == ()
    assert recall.hits[0].text == "I borrowed Dune from my aunt Vera."
    assert any(words(reason).startswith("late interaction") for reason in recall.hits[0].reasons)
