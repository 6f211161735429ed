"""A request that is over with its message silences nothing; a part that is played is not learnt."""

import pytest

ONE_OFF = [
    ("Imagine I was an astronaut, what would I eat?", "I'm allergic to walnuts.", "walnuts"),
    ("Write me a short poem.", "My birthday is on 14 March 1985.", "14 March 1985"),
    ("Tell me a joke about a knight.", "I work for Siemens in Leeds.", "Siemens"),
    ("Act as a nutritionist and make me a meal plan.", "I'm allergic to peanuts.", "peanuts"),
    ("Pretend I'm five and explain gravity.", "My daughter Mia is five.", "Mia"),
    ("Let's say I earn 50k a year: what tax do I pay?", "I live in Ghent.", "Ghent"),
    ("You are the best!", "My sister Ana lives in Porto.", "Porto"),
    ("Write a story about a dragon.", "I have diabetes.", "diabetes"),
    ("Let's play chess.", "I'm allergic to penicillin.", "penicillin"),
    ("What happens next?", "I moved to Bristol last week.", "Bristol"),
    ("Stell dir vor, ich wäre Astronaut: was würde ich essen?", "Ich wohne in Gent.", "Gent"),
    ("Schreib mir ein kurzes Gedicht.", "Ich bin allergisch gegen Walnüsse.", "Walnüsse"),
    ("Stel je voor dat ik astronaut was, wat at ik dan?", "Ik woon in Gent.", "Gent"),
    ("Schrijf een kort gedicht voor me.", "Ik ben allergisch voor walnoten.", "walnoten"),
    ("Imagine que je suis astronaute : que mangerais-je ?", "J'habite à Lyon.", "Lyon"),
    ("Écris-moi un petit poème.", "Je suis allergique aux noix.", "noix"),
    ("Imagina que soy astronauta, ¿qué comería?", "Vivo en Sevilla.", "Sevilla"),
    ("Escríbeme un poema corto.", "Soy alérgico a las nueces.", "nueces"),
]
PLAYED = [
    ("let's play: you are the innkeeper and I am a knight", "I live in a castle in Wales."),
    ("Let's play a game: you are a dragon and I am a knight.", "I'm allergic to dragons."),
    ("You be the cashier and I'll be the customer.", "My card is in my other coat, I work here."),
    ("Pretend you are a dragon.", "I own a sword and three horses."),
    ("Let's role play a job interview: you're the manager.", "I work as a spy for the queen."),
    ("Act as my grandmother in 1920s Chicago. I'm your grandson Vinnie.", "I live with the mob."),
    ("Lass uns spielen: du bist der Wirt und ich bin ein Ritter.", "Ich wohne in einer Burg."),
    ("Du bist der Drache und ich bin ein Ritter.", "Ich bin allergisch gegen Drachen."),
    ("Laten we spelen: jij bent de waard en ik ben een ridder.", "Ik woon in een kasteel."),
    ("Jij bent de draak en ik ben een ridder.", "Ik ben allergisch voor draken."),
    ("Jouons : tu es l'aubergiste et je suis un chevalier.", "J'habite dans un château."),
    ("Tu es le dragon et je suis un chevalier.", "Je suis allergique aux dragons."),
    ("Juguemos: tú eres el posadero y yo soy un caballero.", "Vivo en un castillo."),
    ("Tú eres el dragón y yo soy un caballero.", "Soy alérgico a los dragones."),
]


@pytest.mark.parametrize(("asked", "told", "learnt"), ONE_OFF)
def test_what_is_told_after_a_request_is_learnt(desk, asked, told, learnt):
    desk.tell(asked)
    desk.answer("Here you are.")
    desk.tell(told)
    assert any(learnt in text for text in desk.texts())


@pytest.mark.parametrize(("begun", "played"), PLAYED)
def test_what_is_said_in_a_part_is_not(desk, begun, played):
    desk.tell(begun)
    desk.answer("Very well, let us begin.")
    desk.tell(played)
    assert desk.all() == []
