"""What is told and asked in other languages is found, and nothing else is."""

import pytest

from app.domain.conversation import Role
from app.domain.reason import ReasonKind
from app.memory.text import scripts

TOLD = {
    "Chinese": ("我妹妹在成都学医", "我对花生过敏", "我住在杭州西湖旁边", "我在一家银行工作"),
    "Japanese": (
        "妹は大阪で看護師をしています",
        "私はピーナッツアレルギーです",
        "私は京都の鴨川の近くに住んでいます",
        "銀行で働いています",
    ),
    "Korean": (
        "여동생은 부산에서 의학을 공부한다",
        "나는 땅콩 알레르기가 있다",
        "나는 한강 근처 마포에 산다",
        "나는 은행에서 일한다",
    ),
    "Thai": (
        "น้องสาวของฉันเรียนแพทย์ที่เชียงใหม่",
        "ฉันแพ้ถั่วลิสง",
        "ฉันอาศัยอยู่ใกล้แม่น้ำเจ้าพระยา",
        "ฉันทำงานที่ธนาคาร",
    ),
    "Russian": (
        "Моя сестра учится в Казани",
        "У меня аллергия на арахис",
        "Я живу в Екатеринбурге на улице Мира",
        "Я работаю бухгалтером в банке",
    ),
    "Arabic": (
        "أختي تدرس الطب في الإسكندرية",
        "عندي حساسية من الفول السوداني",
        "أسكن في القاهرة قرب النيل",
        "أعمل محاسبا في بنك",
    ),
    "Greek": (
        "Η αδερφή μου σπουδάζει ιατρική στη Θεσσαλονίκη",
        "Έχω αλλεργία στα φιστίκια",
        "Μένω στην Πάτρα κοντά στη θάλασσα",
        "Δουλεύω σε μια τράπεζα",
    ),
    "Hindi": (
        "मेरी बहन दिल्ली में डॉक्टरी पढ़ती है",
        "मुझे मूंगफली से एलर्जी है",
        "मैं जयपुर में झील के पास रहता हूँ",
        "मैं एक बैंक में काम करता हूँ",
    ),
    "Hebrew": (
        "אחותי לומדת רפואה בחיפה",
        "יש לי אלרגיה לבוטנים",
        "אני גר בירושלים ליד השוק",
        "אני עובד בבנק",
    ),
    "German": ("Meine Schwester studiert in Köln", "Ich bin allergisch gegen Erdnüsse"),
    "French": ("Ma sœur étudie à Besançon", "Je suis allergique aux arachides"),
    "Spanish": ("Mi hermana estudia en Cádiz", "Soy alérgico a los cacahuetes"),
    "Polish": ("Moja siostra studiuje w Łodzi", "Mam alergię na orzeszki ziemne"),
    "Turkish": ("Kız kardeşim İzmir'de tıp okuyor", "Yer fıstığına alerjim var"),
    "Vietnamese": ("Em gái tôi học y ở Huế", "Tôi bị dị ứng đậu phộng"),
}
ASKED = {
    "Chinese": ("我妹妹在哪里学习？", "我可以吃花生酱吗？", "我住在哪里？", "我在哪里工作？"),
    "Japanese": (
        "妹はどこで働いていますか？",
        "ピーナッツを食べてもいいですか？",
        "私はどこに住んでいますか？",
        "銀行で何をしていますか？",
    ),
    "Korean": (
        "여동생은 어디에서 공부해요?",
        "땅콩을 먹어도 돼요?",
        "한강 근처 어디에 살아요?",
        "내가 일하는 은행은 어디예요?",
    ),
    "Thai": (
        "น้องสาวของฉันเรียนที่ไหน",
        "ฉันกินถั่วลิสงได้ไหม",
        "ฉันอาศัยอยู่ที่ไหน",
        "ฉันทำงานที่ไหน",
    ),
    "Russian": ("Где учится сестра?", "Можно ли мне арахиса?", "Где я живу?", "Кем я работал?"),
    "Arabic": ("أين تدرس أختي؟", "هل عندي حساسية من الفول؟", "هل أسكن بالقاهرة؟", "أين أعمل؟"),
    "Greek": ("Πού σπουδάζει η αδερφή μου;", "Σε τι έχω αλλεργία;", "Πού μένω;", "Πού δουλεύω;"),
    "Hindi": (
        "मेरी बहन कहाँ पढ़ती है?",
        "मुझे किस चीज़ से एलर्जी है?",
        "मैं कहाँ रहता हूँ?",
        "मैं कहाँ काम करता हूँ?",
    ),
    "Hebrew": ("איפה אחותי לומדת?", "מותר לי לאכול בוטנים?", "איפה אני גר?", "איפה אני עובד?"),
    "German": ("Wo studiert meine Schwester?",),
    "French": ("Où étudie ma sœur ?",),
    "Spanish": ("¿Dónde estudia mi hermana?",),
    "Polish": ("Gdzie studiuje moja siostra?",),
    "Turkish": ("Kız kardeşim nerede okuyor?",),
    "Vietnamese": ("Em gái tôi học ở đâu?",),
}
OF_THE_WORLD = {
    "Chinese": (
        "疫苗是怎么工作的？",
        "怎样烤面包？",
        "光速是多少？",
        "法国的首都是哪里？",
        "你好！",
    ),
    "Japanese": (
        "ワクチンはどのように働きますか？",
        "パンの焼き方を教えてください",
        "光の速さはどれくらいですか？",
        "こんにちは！",
    ),
    "Korean": ("백신은 어떻게 작용하나요?", "빵은 어떻게 구워요?", "빛의 속도는 얼마예요?"),
    "Thai": ("วัคซีนทำงานอย่างไร", "อบขนมปังอย่างไร", "เมืองหลวงของฝรั่งเศสคืออะไร"),
    "Russian": ("Какова скорость света?", "Как работает вакцина?", "Как испечь хлеб?", "Привет!"),
    "Arabic": ("ما هي سرعة الضوء؟", "كيف تعمل اللقاحات؟", "كيف أخبز الخبز؟", "مرحبا!"),
    "Greek": ("Ποια είναι η ταχύτητα του φωτός;", "Πώς λειτουργούν τα εμβόλια;", "Γεια σου!"),
    "Hindi": ("प्रकाश की गति कितनी है?", "टीके कैसे काम करते हैं?", "रोटी कैसे पकाते हैं?", "नमस्ते!"),
    "Hebrew": ("מהי מהירות האור?", "איך עובד חיסון?", "איך אופים לחם?"),
    "German": ("Wie schnell ist das Licht?",),
    "French": ("Quelle est la vitesse de la lumière ?",),
    "Spanish": ("¿Cómo se hace el pan?",),
    "Polish": ("Jak działają szczepionki?",),
    "Turkish": ("Ekmek nasıl yapılır?",),
    "Vietnamese": ("Tốc độ ánh sáng là bao nhiêu?",),
}


@pytest.fixture(params=["memories", "messages"])
def told(world, request):
    def fill(texts):
        for text in texts:
            (world.learn if request.param == "memories" else world.say)(text)
        world.index()

    return fill


@pytest.mark.parametrize("language", TOLD)
def test_what_shares_a_word_is_found_in_every_language(world, told, language):
    told(TOLD[language])
    for text, asked in zip(TOLD[language], ASKED[language], strict=False):
        assert text == world.texts(asked)[0], asked


@pytest.mark.parametrize("language", TOLD)
def test_nothing_relevant_recalls_nothing_in_any_language(world, told, language):
    told(TOLD[language])
    for asked in OF_THE_WORLD[language]:
        found = world.recall(asked)
        assert found.hits == (), asked
        assert all(hit.dropped == "below_floor" for hit in found.dropped)


def test_one_vault_may_hold_every_language(world):
    for texts in TOLD.values():
        for text in texts:
            world.learn(text)
    world.index()
    for language in ("Chinese", "Japanese", "Korean", "Thai", "Russian", "Arabic", "Greek"):
        for text, asked in zip(TOLD[language], ASKED[language], strict=True):
            assert text in world.texts(asked), asked
        for asked in OF_THE_WORLD[language]:
            assert world.texts(asked) == [], asked


@pytest.mark.parametrize("asked", ["花生", "我可以吃花生酱吗？", "ピーナッツ", "арахисом", "땅콩"])
def test_the_word_lanes_find_it_before_it_is_embedded(world, asked):
    for language in ("Chinese", "Japanese", "Russian", "Korean"):
        world.learn(TOLD[language][1])
        world.say(TOLD[language][1], speaker="Mo")
    found = world.recall(asked, limit=5)
    lanes = {lane for hit in (*found.hits, *found.dropped) for lane in hit.lanes}
    assert lanes == {"fts", "message_fts"}
    assert len(found.hits) + len(found.dropped) == 2


def test_characters_are_looked_for_among_what_may_be_recalled(world):
    world.say("我对花生过敏", role=Role.ASSISTANT, model="notebook")
    now = world.say("花生")
    assert world.recall("花生", exclude={now.id}, limit=50).hits == ()


def test_latin_words_are_found_among_chinese_ones(world, told):
    told(["我在Google上班", "我对花生过敏", "I play tennis on Wednesdays"])
    assert world.texts("我在 Google 上班吗？") == ["我在Google上班"]
    assert world.texts("Google") == ["我在Google上班"]
    assert world.texts("我什么时候打 tennis？") == ["I play tennis on Wednesdays"]


def test_what_was_asked_counts_for_the_reply(world):
    talk = world.conversations.create(1)
    world.say("На что у тебя аллергия?", talk=talk, speaker="Ruth")
    world.say("На арахис и на кошек", talk=talk)
    world.say("Погода сегодня хорошая", talk=world.conversations.create(1))
    world.index()
    assert world.texts("На что у меня аллергия?")[0] == "На арахис и на кошек"


def test_an_english_question_is_read_as_ever(world):
    world.learn("You are allergic to walnuts")
    world.learn("我对花生过敏")
    world.index()
    for text in ("What am I allergic to?", "What is the value of π? 😀", "Zoë's naïve café"):
        assert scripts.latin(text) == text
        reasons = [r for h in world.recall(text, limit=9).hits for r in h.reasons]
        assert not any(reason.kind is ReasonKind.UNREAD for reason in reasons)
