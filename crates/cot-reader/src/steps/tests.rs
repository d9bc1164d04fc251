//! Texts with their expected steps and conclusions.

use super::{extract::extract_steps_and_conclusion, language};

/// A text, its steps with their numbers, and its conclusion, which is empty if there is none.
type Case = (&'static str, &'static [(u64, &'static str)], &'static str);

fn check(cases: &[Case]) {
    for (text, steps, conclusion) in cases {
        let (found, concluded) = extract_steps_and_conclusion(text);
        let found: Vec<_> =
            found.iter().map(|step| (step.number.as_u64().unwrap(), &*step.content)).collect();
        assert_eq!(found, *steps, "steps of {text:?}");
        assert_eq!(concluded.as_deref().unwrap_or_default(), *conclusion, "{text:?}");
        assert_ne!(concluded.as_deref(), Some(""), "{text:?}");
    }
}

#[test]
fn steps_have_numbers() {
    check(&[
        ("", &[], ""),
        ("Forty-two.", &[], ""),
        ("Step 1: a\nStep 2: b", &[(1, "a"), (2, "b")], ""),
        ("Step 1. a\nstep 2) b\nSTEP 3:c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("1. a\n2) b\n3: c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("  1. a\n\t2. b\n\n\n 3.c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("3. c\n1. a\n1. again\n0. zero", &[(3, "c"), (1, "a"), (1, "again"), (0, "zero")], ""),
        ("007. a", &[(7, "a")], ""),
        ("Step\t\u{a0}1: a\nStep\n2: b", &[(1, "a"), (2, "b")], ""),
        ("Let me see.\n1. a", &[(1, "a")], ""),
        ("1. a\n   in lines\n\nand on  \n2. b", &[(1, "a\n   in lines\n\nand on"), (2, "b")], ""),
        ("1. 2. 3.\n2. of 4. this", &[(1, "2. 3."), (2, "of 4. this")], ""),
    ]);
}

#[test]
fn what_looks_like_a_step_is_none() {
    check(&[
        ("Step one: a", &[], ""),
        ("Step1: a", &[], ""),
        ("Step 1 : a", &[], ""),
        ("Step 1- a", &[], ""),
        ("1 a\n2- b\n12", &[], ""),
        ("Footstep 1: a\nx 1. b", &[], ""),
        ("(1) a\n[2] b\n-1. c", &[], ""),
        ("3.5 apples\n12:30 lunch\n1.5: b", &[], ""),
        ("Step 1 shows it\n**Step 1 shows** it\n**42.**\n### 42.\n**1** a", &[], ""),
        ("Schritt 1 zeigt es\nSchritte 1: a\n第一次：a\n1단 a", &[], ""),
        ("1. a\nStep", &[(1, "a\nStep")], ""),
    ]);
}

#[test]
fn empty_steps_are_dropped() {
    check(&[
        ("1.", &[], ""),
        ("1.\n2. b\n3.   \n4. d\n5.", &[(2, "b"), (4, "d")], ""),
        ("Step 1:\nStep 2:\n\n  b", &[(2, "b")], ""),
        ("-\n- a\n*   \n-\n* b\n•", &[(1, "a"), (2, "b")], ""),
        ("Step 1:\nAnswer: 4", &[], "4"),
    ]);
}

#[test]
fn bullets_count_where_there_are_no_numbers() {
    check(&[
        ("- a\n* b\n• c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("Thus far:", &[], "far:"),
        ("- a\n- b\n\n---\n", &[(1, "a"), (2, "b")], ""),
        ("First of all:\n- a\n- b", &[(1, "a"), (2, "b")], ""),
        ("- a\n  - a1\n  - a2\n- b", &[(1, "a\n  - a1\n  - a2"), (2, "b")], ""),
        ("-a\n**b**\n--\n•c\n---", &[], ""),
        (" - a", &[], ""),
        ("-\u{3000}a\n-\tb", &[(1, "a"), (2, "b")], ""),
        ("- a\n1. b\n- c", &[(1, "b\n- c")], ""),
        ("- a\n1.\n", &[], ""),
        ("- a - b * c", &[(1, "a - b * c")], ""),
        ("- a\nSo: b", &[(1, "a")], "b"),
    ]);
}

#[test]
fn a_marker_with_a_colon_begins_the_conclusion() {
    for word in [
        "Conclusion",
        "answer",
        "THEREFORE",
        "Final answer",
        "fInAl AnSwEr",
        "In conclusion",
        "Thus",
        "hence",
        "So",
    ] {
        for separator in [": ", ":", " : ", "：", ":\n\n", "\u{a0}:\u{3000}"] {
            let text = format!("1. a\n{word}{separator}it is 4\nand no more\n2. b\n");
            let (steps, conclusion) = extract_steps_and_conclusion(&text);
            assert_eq!(conclusion.as_deref(), Some("it is 4\nand no more\n2. b"), "{text:?}");
            assert_eq!((steps.len(), &*steps[0].content), (1, "a"), "{text:?}");
        }
        for separator in [" - ", "-", " ", ", ", "\n"] {
            let text = format!("1. a\n{word}{separator}it is 4\nand no more\n");
            let (steps, conclusion) = extract_steps_and_conclusion(&text);
            assert_eq!(conclusion.as_deref(), Some("it is 4\nand no more"), "{text:?}");
            assert_eq!((steps.len(), &*steps[0].content), (1, "a"), "{text:?}");
        }
    }
    check(&[
        ("  \tAnswer: 4", &[], "4"),
        ("Answer: -4", &[], "-4"),
        ("Answer:: 4", &[], ": 4"),
        ("Answer：4", &[], "4"),
        ("Answer:", &[], ""),
        ("1. a\nAnswer:  \n ", &[(1, "a")], ""),
        ("Answer\n- a\n- b", &[], "- a\n- b"),
        ("1. Therefore 4\n2. b", &[(1, "Therefore 4"), (2, "b")], ""),
        ("It is so: 4", &[], ""),
    ]);
}

#[test]
fn the_last_marker_that_stands_alone_wins() {
    check(&[
        (
            "Step 1: six.\nSo we go on.\nStep 2: seven.\nConclusion: 42",
            &[(1, "six.\nSo we go on."), (2, "seven.")],
            "42",
        ),
        ("1. a\nAnswer: 4\n2. b\nAnswer: 5", &[(1, "a\nAnswer: 4"), (2, "b")], "5"),
        ("1. a\nAnswer: 5\nSo we are done.", &[(1, "a")], "5\nSo we are done."),
        ("1. a\nAnswer: 5\n## Conclusion\n", &[(1, "a")], "5"),
        ("1. a\nSo we go on.\n2. b", &[(1, "a\nSo we go on."), (2, "b")], ""),
        ("1. a\nSo b.\n2.", &[(1, "a")], "b.\n2."),
        ("Thus b.\nSo, c.", &[], "c."),
    ]);
}

#[test]
fn a_word_for_the_answer_outranks_a_connective() {
    check(&[
        ("Final Answer: 4\nSo: let me know if you need more.", &[], "4"),
        ("1. a\nSo: 3\nAnswer: 4\nThus: bye", &[(1, "a\nSo: 3")], "4"),
        ("Answer:\nSo: 4", &[], "4"),
        ("Answer: 4\nAnswer: 5", &[], "5"),
    ]);
}

#[test]
fn a_step_may_have_a_dash() {
    check(&[
        ("Step 1 - a\nStep 2 – b\nAnswer: c", &[(1, "a"), (2, "b")], "c"),
        ("Step 1-a\nStep 2 -b", &[], ""),
    ]);
}

#[test]
fn a_sign_that_closes_no_emphasis_is_kept() {
    check(&[
        ("*Conclusion: 2 * 3 is 6*.", &[], "2 * 3 is 6."),
        ("*Conclusion: 2*3 is 6*.", &[], "2*3 is 6."),
        ("*Conclusion:l*.", &[], "l."),
        ("_Answer: snake_case is good_", &[], "snake_case is good"),
        ("*Answer: 2 * 3", &[], "2 * 3"),
        ("**Step 1: Add.** It is 2 ** 3.", &[(1, "Add. It is 2 ** 3.")], ""),
    ]);
}

#[test]
fn a_marker_is_a_whole_word() {
    check(&[
        (
            "1. a\nSolve it\nSomething\nSofia\nanswers",
            &[(1, "a\nSolve it\nSomething\nSofia\nanswers")],
            "",
        ),
        ("Thusly\nHence4\nSo_\nAnswer2: x\nConclusions: y", &[], ""),
        ("So\u{301} a\nSoñar\nsоviet\nSo我", &[], ""),
        ("Final  answer: 4\nIn\nconclusion: 5", &[], "5"),
        ("So", &[], ""),
        ("so.", &[], "."),
        ("ſo: 4", &[], ""),
        ("Also: x\nFazit ist y\n因此我们\n答えは4", &[], ""),
    ]);
}

#[test]
fn hashes_divide_steps_and_conclusion() {
    check(&[
        ("20 - x = 12; x = 8. #### 8", &[], "8"),
        ("Step 1: a\nStep 2: b\n#### x = 8\n", &[(1, "a"), (2, "b")], "x = 8"),
        ("1. a\n####\n\n8\n#### 9", &[(1, "a")], "8\n#### 9"),
        ("1. a #####", &[(1, "a")], "#"),
        ("1. a\nAnswer: 7\n#### 8", &[(1, "a\nAnswer: 7")], "8"),
        ("1. a\n####  \n", &[(1, "a\n####")], ""),
        ("1. a\nAnswer: 7\n####", &[(1, "a")], "7\n####"),
        ("#### 1. a\n#### 2. b\n#### Answer\n4", &[(1, "a"), (2, "b")], "4"),
        ("#### Step 1: a\n#### 4", &[(1, "a")], "4"),
        ("#### 1.5", &[], "1.5"),
        (" - a\n- b #### c", &[(1, "a"), (2, "b")], "c"),
        ("####8", &[], "8"),
    ]);
}

#[test]
fn lines_may_end_with_crlf() {
    check(&[
        ("1. a\r\nb\r\n2. c\r\nAnswer: 4\r\n5\r\n", &[(1, "a\nb"), (2, "c")], "4\n5"),
        ("- a\r\n-\r\n- b\r\n", &[(1, "a"), (2, "b")], ""),
        ("1. a\r\nb\r\n2. c\r\n#### 4\r\n5", &[(1, "a\r\nb"), (2, "c")], "4\r\n5"),
        ("1. a\r2. b", &[(1, "a\r2. b")], ""),
    ]);
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    check(&[
        ("\u{feff}Step 1: a\nSo: b", &[(1, "a")], "b"),
        ("\u{feff}- a", &[(1, "a")], ""),
        ("\u{feff}Answer: b", &[], "b"),
        ("\u{feff}", &[], ""),
    ]);
}

/// An algorithm that is not linear would not finish in time.
#[test]
fn it_takes_linear_time() {
    let pieces = [
        "1",
        "\n1.",
        "step ",
        "Step\n",
        "\nStep 1:",
        "\n",
        " ",
        "\n- ",
        "#",
        "####",
        "\nsolve",
        "\nfinal ",
        "\r\n",
    ];
    for first in pieces {
        for second in pieces {
            let alternating = [first, second].concat().repeat(10_000);
            let _ = extract_steps_and_conclusion(&alternating);
            let _ = extract_steps_and_conclusion(&(first.repeat(10_000) + &second.repeat(10_000)));
        }
    }
}

#[test]
fn markdown_is_no_part_of_what_is_found() {
    let steps: &[(u64, &str)] = &[(1, "a"), (2, "b")];
    check(&[
        ("**Step 1:** a\n**Step 2:** b\n**Answer:** 42", steps, "42"),
        ("**Step 1**: a\n\n__Step 2:__ b\n\n**Final Answer**: 42", steps, "42"),
        ("### Step 1: a\n\n### Step 2: b\n\n## Conclusion\n42", steps, "42"),
        ("### Step 1\na\n\n---\n\n### Step 2\nb\n\n---\n\n### Final Answer\n42", steps, "42"),
        ("**Step 1**\na\n**Step 2**\nb\n**Conclusion**\n\n42", steps, "42"),
        ("**Step 1 – a**\n**Step 2 - b**\n*Answer:* 42", steps, "42"),
        ("- **Step 1:** a\n- **Step 2:** b\n- **Answer:** 42", steps, "42"),
        ("> **Step 1:** a\n> **Step 2:** b\n> **Answer:** 42", &[(1, "a"), (2, "b")], "42"),
        ("**1. a**\n**2.** b\n✅ **Final Answer: 42**", steps, "42"),
        ("## 1. a\n## 2) b\n## Answer: 42", steps, "42"),
        ("## 🧮 Step 1: a\n## **Step 2: b**\n## ✅ Answer ✅\n42", steps, "42"),
        ("### **Step 1:** a\n### **Step 2:** b\n### **Step 3: Conclusion**\n42", steps, "42"),
        ("1️⃣ a\n2️⃣ b\n**Answer** 42", steps, "42"),
        ("*Step 1.* a\n_Step 2:_ b\nAnswer: **42**", steps, "**42**"),
    ]);
    check(&[
        (
            "**1. Add**\n17 + 5 is 22.\n\n**2. Double** it\n44",
            &[(1, "Add\n17 + 5 is 22."), (2, "Double it\n44")],
            "",
        ),
        ("1. **Add**: 22\n2. **Double**: 44", &[(1, "**Add**: 22"), (2, "**Double**: 44")], ""),
        (
            "### Step 1: a\n1. x\n2. y\n### Step 2: b\n- z",
            &[(1, "a\n1. x\n2. y"), (2, "b\n- z")],
            "",
        ),
        ("## 1. a\n1. x\n## 2. b\n1. y", &[(1, "a\n1. x"), (2, "b\n1. y")], ""),
        ("## 1. a\nStep 1: x\nStep 2: y", &[(1, "x"), (2, "y")], ""),
        ("**So** it is\n### So what?\n**Answer** to it all\n## Answers", &[], ""),
    ]);
}

#[test]
fn a_box_is_a_conclusion_where_no_word_begins_one() {
    check(&[
        ("1. a\nThe answer is $\\boxed{42}$.", &[(1, "a\nThe answer is $\\boxed{42}$.")], "42"),
        ("So \\boxed{1}, then \\boxed{\\frac{1}{2}} it is", &[], "\\frac{1}{2}"),
        ("**Answer:** $\\boxed{42}$", &[], "$\\boxed{42}$"),
        ("\\boxed{}\n\\boxed{4", &[], ""),
    ]);
}

#[test]
fn languages_have_their_words() {
    let steps: &[(u64, &str)] = &[(1, "a"), (2, "b")];
    check(&[
        ("Schritt 1: a\nSchritt 2: b\nFazit: 42", steps, "42"),
        ("Étape 1 : a\nÉTAPE 2 : b\nConclusion : 42", steps, "42"),
        ("### Paso 1: a\n### Paso 2: b\n**Conclusión:** 42", steps, "42"),
        ("Passo 1: a\nPasso 2 - b\nResposta final: 42", steps, "42"),
        ("Passaggio 1: a\nPassaggio 2. b\nRisposta: 42", steps, "42"),
        ("Шаг 1: a\nшаг 2. b\nОтвет: 42", steps, "42"),
        ("步骤 1：a\n步骤2：b\n结论：42", steps, "42"),
        ("第一步：a\n第２步，b\n**最终答案：** 42", steps, "42"),
        ("【步骤一】a\n【步骤二】b\n答案: 42", steps, "42"),
        ("ステップ1：a\nステップ２：b\n結論：42", steps, "42"),
        ("手順 1: a\n手順 2: b\n## 答え\n42", steps, "42"),
        ("단계 1: a\n2단계: b\n결론: 42", steps, "42"),
        ("\u{200f}الخطوة ١: a\nالخطوة 2: b\nالجواب: 42", steps, "42"),
        ("चरण 1: a\nचरण २: b\nनिष्कर्ष: 42", steps, "42"),
        ("Bước 1: a\nBƯỚC 2: b\nĐáp án: 42", steps, "42"),
        ("Adım 1: a\nADIM 2: b\nSonuç: 42", &[(1, "a\nADIM 2: b")], "42"),
        ("ขั้นตอนที่ ๑: a\nขั้นตอนที่ 2: b\nคำตอบ: 42", steps, "42"),
        ("Krok 1: a\nKrok 2: b\nWniosek: 42", steps, "42"),
        ("גם כן\nשלב 1: a\nשלב 2: b\nתשובה: 42", steps, "42"),
        ("١. a\n２．b\n३) c\n④d", &[(1, "a"), (2, "b"), (3, "c"), (4, "d")], ""),
        ("第二十三步：a\n第十步：b", &[(23, "a"), (10, "b")], ""),
    ]);
}

/// Each row of the table is recognized, and each of its entries is a word.
#[test]
fn every_word_of_the_table_is_found() {
    for language in language::LANGUAGES {
        for (before, after) in language.steps {
            let text = format!("{before} 1{after}: a\n**{before} 2{after}:** b");
            let text = text.replace("** 2", "**2");
            let (steps, _) = extract_steps_and_conclusion(&text);
            assert_eq!(steps.len(), 2, "{text}");
            let text = format!("### {before} 1{after}\na\n### {before} 2{after}: b");
            let (steps, _) = extract_steps_and_conclusion(&text);
            assert_eq!(steps.len(), 2, "{text}");
        }
        for word in language.answers.iter().chain(language.connectives) {
            for text in [format!("1. a\n{word}: 42"), format!("1. a\n**{word}：** 42")] {
                let (steps, conclusion) = extract_steps_and_conclusion(&text);
                assert_eq!((steps.len(), conclusion.as_deref()), (1, Some("42")), "{text}");
            }
        }
    }
}

#[test]
fn any_script_is_taken_apart_alike() {
    check(&[
        (
            "Step 1: 🧮 наука\nStep 2: 答え e\u{301}\nAnswer: ٤٢",
            &[(1, "🧮 наука"), (2, "答え e\u{301}")],
            "٤٢",
        ),
        ("• עברית\n• हिन्दी", &[(1, "עברית"), (2, "हिन्दी")], ""),
        ("\u{3000}1.第一歩\n\u{3000}2.第二歩\n####　了", &[(1, "第一歩"), (2, "第二歩")], "了"),
        ("👨‍👩‍👧\n1. 👨‍👩‍👧\0\nSo: 👨‍👩‍👧", &[(1, "👨‍👩‍👧\0")], "👨‍👩‍👧"),
    ]);
}
