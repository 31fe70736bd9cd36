#!/usr/bin/env python3
"""Tests of the scripts that check and change the library's sources.

Usage: Scripts/test-scripts.py
"""

import importlib.util
import json
import re
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "mutation")]
from swift_source import declarations, tokens, without_comments_and_strings  # noqa: E402


def script(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(Path(name).name.replace("-", "_"), SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


layers = script("check-layers")
mutants = script("mutation/mutants")
schemata = script("mutation/mutant_schemata")
mutate = script("mutation/mutate")
docs = script("check-docs")
site = script("build-docs")
weight = script("measure-weight")
journeys = script("measure-journeys")
manifests = script("manifest")
arm64e = script("check-arm64e")
words = script("check-words")


class SourceTests(unittest.TestCase):
    def test_comments_and_strings_are_blanked_and_lines_stay(self):
        text = 'let a = "Flux" // Flux\n/* Flux /* Flux */ Flux */ let b = #"a "Flux" b"#\nlet c = """\n  Flux "\n  """\nlet d = 1'
        code = without_comments_and_strings(text)
        self.assertNotIn("Flux", code)
        self.assertEqual([(t.text, t.line) for t in tokens(code) if t.text in "abcd"], [("a", 1), ("b", 2), ("c", 3), ("d", 6)])

    def test_what_is_interpolated_stays(self):
        self.assertEqual(without_comments_and_strings(r'"x \(Flux(y: "z")) x" + "\" \\"').split(), ["(Flux(y:", "))", "+"])

    def test_types_members_and_generic_parameters_are_told_apart(self):
        code = """
        struct Outer<Element>: Base where Element: Flux {
          class func make() {}
          struct Inner { case_ }
          var stored: Inner { let local = 1; return local }
        }
        extension Flux { func dispatch() {} }
        func free<Result>() {}
        """
        found = declarations(tokens(code))
        self.assertEqual(set(found.types), {"Outer"})
        self.assertEqual(set(found.functions), {"free"})
        self.assertEqual(found.nested, {"Element", "Inner", "Result"})
        self.assertEqual(found.extended, {"Flux"})
        self.assertEqual(
            [(name, outer, extends) for name, outer, extends, _ in found.members],
            [("make", "Outer", False), ("Inner", "Outer", False), ("stored", "Outer", False), ("dispatch", "Flux", True)],
        )


class LayersTests(unittest.TestCase):
    def failures(self, files, order=("Flux", "Actions"), recursive=(), module="Core"):
        with tempfile.TemporaryDirectory() as folder:
            sources = Path(folder) / "Sources"
            for name, text in files.items():
                path = sources / module / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text), encoding="utf-8")
            return layers.check(sources, {module: {"order": list(order), "recursive": list(recursive)}})[0]

    def test_a_use_of_what_stands_above_is_right(self):
        files = {"Flux/Flux.swift": "final class Flux {}\n", "Actions/Action.swift": "struct Action { let flux: Flux }\n"}
        self.assertEqual(self.failures(files), [])

    def test_a_way_back_by_a_type_names_file_line_and_type(self):
        files = {
            "Flux/Flux.swift": "// Action\nfinal class Flux {\n  var last: Action?\n}\n",
            "Actions/Sub/Action.swift": "struct Action {}\n",
        }
        self.assertEqual(
            self.failures(files), ["Sources/Core/Flux/Flux.swift:3: Flux uses Action of Actions, which stands below it"]
        )

    def test_a_way_back_by_a_free_function_is_found(self):
        files = {"Flux/Flux.swift": "let n = count(1)\n", "Actions/Count.swift": "func count(_ n: Int) -> Int { n }\n"}
        self.assertEqual(
            self.failures(files), ["Sources/Core/Flux/Flux.swift:1: Flux uses count of Actions, which stands below it"]
        )

    def test_a_way_back_by_a_member_of_an_extension_is_found(self):
        files = {
            "Flux/Flux.swift": "final class Flux {\n  func run() { self.dispatch() }\n}\n",
            "Actions/Flux+Actions.swift": "extension Flux { func dispatch() {} }\n",
        }
        self.assertEqual(
            self.failures(files),
            [
                "Sources/Core/Flux/Flux.swift:2: Flux uses dispatch of Actions, which stands below it",
                "Core: 2 folders form a cycle: Actions, Flux",
            ],
        )

    def test_a_member_declared_on_both_sides_says_nothing(self):
        files = {
            "Flux/Flux.swift": "protocol Work { func perform() }\nfunc run(_ work: any Work) { work.perform() }\n",
            "Actions/Action.swift": "struct Action: Work { func perform() {} }\n",
        }
        self.assertEqual(self.failures(files), [])

    def test_a_nested_type_and_a_generic_parameter_hide_a_type_of_their_name(self):
        files = {
            "Flux/Flux.swift": "struct Flux<Owner> {\n  struct Entry {}\n  let owner: Owner\n  let entry: Entry\n}\n",
            "Actions/Entry.swift": "struct Entry {}\nstruct Owner {}\n",
        }
        self.assertEqual(self.failures(files), [])

    def test_a_cycle_is_named_where_the_order_says_nothing(self):
        files = {"A/A.swift": "struct A { let b: B? }\n", "B/B.swift": "final class B { var a: A? }\n"}
        found = self.failures(files, order=())
        self.assertIn("Core: 2 folders form a cycle: A, B", found)
        self.assertIn("Sources/Core/A: this folder has no place in the order of Scripts/check-layers.py", found)

    def test_declared_recursion_is_right(self):
        files = {"A/A.swift": "struct A { let b: B? }\n", "B/B.swift": "final class B { var a: A? }\n"}
        self.assertEqual(self.failures(files, order=["A", "B"], recursive=[(["A", "B"], "why")]), [])

    def test_an_unsafe_construct_outside_its_room_is_found(self):
        files = {
            "Support/Cast.swift": "let a = unsafeBitCast(1, to: UInt.self)\n",
            "Flux/Flux.swift": "// Unmanaged\nstruct Flux { unowned( unsafe) var owner: AnyObject }\n",
        }
        self.assertEqual(
            self.failures(files, order=["Support", "Flux"], module="FlaskCore"),
            ["Sources/FlaskCore/Flux/Flux.swift:2: unowned(unsafe) stands outside Cell and Support"],
        )

    def test_a_public_type_has_a_file_of_its_name(self):
        files = {
            "Flux/Flux.swift": "public final class Flux {\n  public struct Place {}\n}\npublic struct Lane {}\nstruct Own {}\n",
            "Flux/Flux+Lanes.swift": "extension Flux {\n  public enum Kind {}\n}\n",
            "Flux/Lanes.swift": "/* x\n*/\nextension Flux {\n  public enum Way {}\n}\n",
            "Flux/Way.swift": "extension Flux {\n  public enum Way {}\n}\n",
        }
        self.assertEqual(
            self.failures(files),
            [
                "Sources/Core/Flux/Flux.swift:4: Lane is public and has no file of its name",
                "Sources/Core/Flux/Lanes.swift:4: Way is public and has no file of its name",
            ],
        )


class WordsTests(unittest.TestCase):
    def faults(self, text, is_swift=True):
        return [number for number, _ in words.faults(text, is_swift)]

    def test_words_of_the_list_are_found_in_comments_messages_and_pages(self):
        self.assertEqual(self.faults("/// The lock is held.\n/// Whoever waits is told.\nlet a = 1  // no comment line\n"), [2, 2])
        self.assertEqual(self.faults('report("it belongs to another bus")\n'), [1])
        self.assertEqual(self.faults("| it is set aside |\n", is_swift=False), [1])

    def test_code_and_names_are_no_prose(self):
        self.assertEqual(self.faults("/// The `bus` of a flux.\n/// ```swift\n/// Flask.bus.told()\n/// ```\nlet told = \"told\"\n"), [])
        self.assertEqual(self.faults("`told`, [a](bus.md)\n```\nanew\n```\n", is_swift=False), [])

    def test_a_doc_comment_begins_with_a_noun(self):
        self.assertEqual(self.faults("/// What changed.\nvar a = 0\n/// A change.\n/// What follows is another line.\n"), [1])
        self.assertEqual(self.faults("// What follows is no doc comment.\n"), [])


class MutantsTests(unittest.TestCase):
    def lines(self, text):
        """Each mutant of `text` as the line that it changes."""
        found = mutants.mutants_of("Sources/A/A.swift", text)
        return {mutants.mutated(text, m).split("\n")[m.line - 1].strip() for m in found}

    def test_operators_are_swapped(self):
        self.assertEqual(self.lines("let x = a == b && c"), {"let x = a != b && c", "let x = a == b || c"})
        self.assertEqual(self.lines("total &+= a << b"), {"total &-= a << b", "total &+= a >> b"})
        self.assertEqual(self.lines("for i in a..<b {}"), {"for i in a...b {}"})

    def test_generics_arrows_and_prefixes_are_no_operators(self):
        self.assertEqual(self.lines("func f<A>(_ a: inout A, _ b: B<A>?) -> C<A> { g(&a, b!) }"), set())

    def test_constants_and_conditions_change(self):
        self.assertEqual(self.lines("return true"), {"return false"})
        self.assertEqual(self.lines("let n = 1, m = 41, t = pair.0, x = 0xff"), {
            "let n = 0, m = 41, t = pair.0, x = 0xff", "let n = 1, m = 42, t = pair.0, x = 0xff",
        })  # fmt: skip
        self.assertEqual(self.lines("if isOpen { return }"), {"if !isOpen { return }"})
        self.assertEqual(self.lines("if !isOpen { return }"), {"if isOpen { return }"})

    def test_a_statement_that_calls_is_removed_and_an_argument_is_not(self):
        text = "func f() {\n  queue.add(a)\n  let x = g(\n    h(a)\n  )\n  make(a)\n    .run()\n}\n"
        self.assertEqual([(m.line, m.original) for m in mutants.mutants_of("A.swift", text)], [(2, "queue.add(a)")])

    def test_strings_comments_and_other_systems_do_not_change(self):
        text = '// a == b\nlet s = "a == b"\n#if canImport(Darwin)\n  let x = a == b\n#else\n  let y = a == b\n#endif\n'
        self.assertEqual(self.lines(text), {"let y = a != b"})

    def test_the_same_seed_draws_the_same_mutants(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "Sources" / "A" / "A.swift"
            path.parent.mkdir(parents=True)
            path.write_text("\n".join(f"let x{n} = a == b && c" for n in range(20)))
            first, again, other = (mutants.draw(Path(folder), ["A"], seed) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len(first), 40)


class SchemataTests(unittest.TestCase):
    def bodies(self, text):
        return [" ".join(text[start : end + 1].split()) for start, end in schemata.bodies(without_comments_and_strings(text))]

    def schema(self, text, *changes):
        """The text with the mutants that change the first of each pair to the second, one after the other."""
        found = []
        for number, (original, replacement) in enumerate(changes, 1):
            kind = "constant" if original.isdigit() else "comparison"
            place = text.index(original)
            mutant = mutants.Mutant("A.swift", 1, place, len(original), replacement, kind, original, "")
            found.append((number, mutant))
        marked, homeless = schemata.schema(text, found)
        return *schemata.unmarked(marked), homeless

    def test_functions_initialisers_and_accessors_have_bodies(self):
        text = """
        struct A<B>: C where B: D {
          init() { a() }
          deinit { b() }
          func c(_ d: () -> Int = { 1 }) async throws -> [Int] where B: E { if e { f { g() } } }
          var h: Int { i }
          var j: Int { get { k } set { l() } }
          var m: Int = n() { didSet { o() } }
          subscript(p: Int) -> Int { q }
          subscript(r: Int) -> Int { @inlinable _read { yield s } }
          func `repeat`() { t() }
        }
        """
        self.assertEqual(
            self.bodies(text),
            ["{ a() }", "{ b() }", "{ if e { f { g() } } }", "{ i }", "{ k }", "{ l() }", "{ o() }", "{ q }", "{ yield s }", "{ t() }"],
        )

    def test_types_closures_requirements_and_conditions_are_no_bodies(self):
        text = """
        protocol A { init(); func b() -> C; var d: E { get set }; func f() }
        class G { class var h: I { j }; let k: L = { m() }(); var n = { o() } }
        enum P { case q, r }
        if var s = t { u() }
        while let v { w.init { x() } }
        """
        self.assertEqual(self.bodies(text), ["{ j }"])

    def test_a_body_stands_there_twice_behind_a_switch(self):
        text, owners, homeless = self.schema("func f() -> Bool { a == b }\n", ("==", "!="))
        self.assertEqual(text, "func f() -> Bool { if flaskMutant(1) {\n a != b \n} else {\n a == b \n} }\n")
        self.assertEqual(owners, {1: ((1,), False), 2: ((1,), True), 3: ((1,), True), 4: ((1,), False), 5: ((1,), False)})
        self.assertEqual(homeless, [])

    def test_mutants_of_one_body_are_a_chain(self):
        text, _, _ = self.schema("func f() { a == b; c < d }", ("==", "!="), ("<", "<="))
        branches = ["if flaskMutant(1) { a != b; c < d } else if flaskMutant(2) { a == b; c <= d } else { a == b; c < d }"]
        self.assertEqual(" ".join(text.split()), "func f() { " + branches[0] + " }")

    def test_a_function_in_a_function_has_its_switch_where_no_outer_mutant_runs(self):
        text, _, _ = self.schema("func f() { a == b; func g() { c < d } }", ("==", "!="), ("<", "<="))
        inner = "func g() { if flaskMutant(2) { c <= d } else { c < d } }"
        self.assertEqual(
            " ".join(text.split()), f"func f() {{ if flaskMutant(1) {{ a != b; func g() {{ c < d }} }} else {{ a == b; {inner} }} }}"
        )

    def test_a_number_outside_bodies_is_a_choice_and_an_operator_has_no_place(self):
        text, owners, homeless = self.schema("let a = 41\nlet b = c == d\n", ("41", "42"), ("==", "!="))
        self.assertEqual(text, "let a = (flaskMutant(1) ? 42 : 41)\nlet b = c == d\n")
        self.assertEqual(owners, {1: ((1,), False)})
        self.assertEqual(homeless, [2])

    def test_a_deinit_that_is_removed_has_an_empty_body(self):
        text, _, _ = self.schema("class A { deinit { end() } }", ("deinit { end() }", ""))
        self.assertEqual(" ".join(text.split()), "class A { deinit { if flaskMutant(1) { } else { end() } } }")


class MutateTests(unittest.TestCase):
    def test_an_error_in_a_mutant_condemns_it_and_one_beside_it_the_whole_body(self):
        owners = {"A.swift": {4: ((7,), True), 9: ((7, 8), False)}}
        self.assertEqual(mutate.condemned([("A.swift", "4"), ("A.swift", "5"), ("B.swift", "9")], owners), {7})
        self.assertEqual(mutate.condemned([("A.swift", "9")], owners), {7, 8})

    def test_what_fails_is_named_and_what_is_known_to_fail_is_not(self):
        for line, expected in [
            ('✘ Test "a dog barks" recorded an issue at A.swift:1:2: Expectation failed', '"a dog barks"'),
            ('✘ Test "a dog barks" recorded a known issue at A.swift:1:2: Expectation failed', None),
            ("✔ Test barks() passed after 1 seconds.", None),
            ("/a/A.swift:1: error: DogTests.testBarks : XCTAssertTrue failed", "DogTests.testBarks : XCTAssertTrue failed"),
        ]:
            self.assertEqual(mutate.noticed(line), expected)

    def test_suites_and_functions_are_chosen_by_their_whole_names(self):
        chosen = re.compile(mutate.pattern(["A.DogTests", "A.`a cat`()"]))
        found = [name for name in ["A.DogTests/barks()", "A.DogTests2/b()", "A.`a cat`()", "B.DogTests/b()"] if chosen.search(name)]
        self.assertEqual(found, ["A.DogTests/barks()", "A.`a cat`()"])

    def test_fast_suites_and_those_of_the_module_come_first(self):
        seconds = {"DogTests.Slow": 9, "CatTests.Fast": 0.1, "DogTests.Fast": 0.3, "DogTests.Faster": 0.2, "XCTest DogTests.Mean": 2}
        self.assertEqual(
            mutate.batches("Dog", seconds),
            [["DogTests.Faster", "DogTests.Fast"], ["CatTests.Fast"], ["XCTest DogTests.Mean"], ["DogTests.Slow"]],
        )


class ManifestTests(unittest.TestCase):
    def manifest(self, libraries, **dependencies):
        def uses(name):
            return {"byName": [name, None]} if name != "Elsewhere" else {"product": [name, "elsewhere", None, None]}

        return manifests.Manifest(
            {
                "products": [{"name": name, "type": {"library": ["automatic"]}, "targets": [name]} for name in libraries]
                + [{"name": "tool", "type": {"executable": None}, "targets": ["Tool"]}],
                "targets": [
                    {"name": name, "type": "regular", "dependencies": [uses(other) for other in others]}
                    for name, others in dependencies.items()
                ]
                + [{"name": "TopTests", "type": "test", "dependencies": [uses("Top")]}],
            }
        )

    def test_modules_and_products_come_after_what_they_depend_on(self):
        found = self.manifest(["Top", "Base"], Top=["Middle", "Elsewhere"], Middle=["Support", "Base"], Base=[], Support=[], Tool=["Top"])
        self.assertEqual(found.products, ["Base", "Top"])
        self.assertEqual(found.modules(), ["Base", "Support", "Middle", "Top"])
        self.assertEqual(found.modules(["Middle"]), ["Base", "Support", "Middle"])

    def test_a_module_that_is_not_there_ends_the_script(self):
        with self.assertRaises(SystemExit):
            self.manifest(["Base"], Base=[]).modules(["Bottom"])


class WeightTests(unittest.TestCase):
    def folder(self, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = Path(folder.name) / "Core" / f"{name}.swift"
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        return Path(folder.name)

    def test_blank_lines_and_comments_are_no_code(self):
        text = """
        /// A comment.
        struct A {  // Code.
          /* More
             than one line */

          let b = 1
        }
        """
        self.assertEqual([line.strip() for line in weight.lines_of_code(text)], ["struct A {  // Code.", "let b = 1", "}"])

    def test_nested_types_count_and_extensions_and_class_members_do_not(self):
        text = """
        @frozen public struct A {
          private final class B {}
          indirect enum C { case d }
          class func make() {}
        }
        extension A {}
        package actor E {}
        public protocol F: AnyObject {}
        """
        self.assertEqual(weight.weigh(self.folder(A=text))["Core"], {"files": 1, "lines": 8, "types": 5})

    def test_a_figure_beyond_what_is_allowed_fails_and_one_that_is_not_measured_does_not(self):
        targets = [
            {"figure": "code lines", "target": 10, "allowed": 20},
            {"figure": "types", "target": 10, "allowed": 20},
            {"figure": "code lines of a type", "target": 45, "allowed": 40, "atLeast": True},
            {"figure": "code lines of Core", "target": 1, "allowed": 2},
        ]
        rows, failures = weight.held({"code lines": 21, "types": 15, "code lines of a type": 39.5}, targets)
        self.assertEqual([row[0] for row in rows], ["✘", "~", "✘", "-"])
        self.assertEqual(failures, 2)


class JourneysTests(unittest.TestCase):
    PROFILE = """fn=(1) $s9FlaskCore5FluxY3mixyyF
cfn=(2) $s9FlaskDiff6LayoutC7compareyyF
calls=400 0
cfn=(3) $s9FlaskCore4CellC6commityyF'2
calls=200 0
1 2
fn=(4) main
cfn=(3)
calls=100 0
cfn=(1)
calls=199 0
"""

    def test_calls_are_added_up_by_function(self):
        self.assertEqual(
            journeys.calls(self.PROFILE),
            {"$s9FlaskDiff6LayoutC7compareyyF": 400, "$s9FlaskCore4CellC6commityyF": 300, "$s9FlaskCore5FluxY3mixyyF": 199},
        )

    def test_on_the_way_is_what_each_journey_calls(self):
        many = journeys.calls(self.PROFILE)
        self.assertEqual(list(journeys.passed({}, many, 200)), ["$s9FlaskCore4CellC6commityyF"])
        self.assertEqual(list(journeys.passed({"$s9FlaskCore4CellC6commityyF": 101}, many, 200)), [])
        self.assertEqual(len(list(journeys.passed({}, many, 199))), 2)

    def test_only_what_somebody_wrote_as_a_function_counts(self):
        names = ["FlaskCore.Flux.mix() -> ()", "closure #1 () -> () in FlaskCore.Flux.mix() -> ()", "FlaskCore.Flux.init() -> FlaskCore.Flux",
                 "FlaskCore.Flux.epoch.getter : Swift.Int", "FlaskCore.Flux.initial() -> ()"]
        self.assertEqual([name for name in names if not journeys.NO_FUNCTION.search(name)], [names[0], names[4]])


class CastsTests(unittest.TestCase):
    def test_a_cast_is_found_whole_and_comments_are_not(self):
        text = "// unsafeBitCast(a, to: B.self)\nlet c = unsafeBitCast(\n  D(e),\n  to: (F) -> G.self\n).body\nFunctionHolder.cast(h, to: i)\n"
        self.assertEqual(
            list(arm64e.casts(text)),
            [(2, "unsafeBitCast(D(e), to: (F) -> G.self)"), (6, "FunctionHolder.cast(h, to: i)")],
        )

    def test_a_cast_that_no_list_has_is_named_and_one_that_is_gone_too(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "Sources" / "A.swift"
            file.parent.mkdir()
            file.write_text("unsafeBitCast(a, to: B.self)\nunsafeBitCast(a, to: B.self)\nunsafeBitCast(c, to: UInt.self)\n")
            problems, gone = arm64e.unlisted(file.parent, ["unsafeBitCast(a, to: B.self)", "unsafeBitCast(d, to: E.self)"])
        cast = "unsafeBitCast(a, to: B.self)"
        self.assertEqual(problems, [f"Sources/A.swift:2: this cast is not in CASTS of Scripts/check-arm64e.py: {cast}"])
        self.assertEqual(gone, ["unsafeBitCast(d, to: E.self)"])

    def test_a_type_becomes_a_call_in_sil(self):
        call = arm64e.sil("call", "@Sendable (inout A, Object) async throws -> R").splitlines()
        type_ = "@Sendable @async @callee_guaranteed (@inout A, @guaranteed Object) -> (@out R, @error any Error)"
        self.assertEqual(call[1], f"bb0(%0 : $*R, %1 : ${type_}, %2 : $*A, %3 : $Object):")
        self.assertEqual(call[2], f"  %100 = apply [nothrow] %1(%0, %2, %3) : ${type_}")

    def test_what_differs_fails_unless_it_is_allowed(self):
        found = {"a": 1, "b": 1, "c": 2}
        rows, failures = arm64e.judged([("x", "a", "b"), ("y", "a", "c"), ("z", "b", "c")], found, [("a", "c")])
        self.assertEqual(rows, ["✔ a → b: 1 = 1", "~ a → c: 1 ≠ 2", "✘ b → c: 1 ≠ 2"])
        self.assertEqual(failures, ["this cast changes the discriminator: z"])


class DocsTests(unittest.TestCase):
    def program(self, page, **marks):
        lines = list(enumerate(textwrap.dedent(page).splitlines(), 1))
        plain, executables, skipped = docs.programs(docs.blocks("page.md", lines))
        return plain, executables, skipped

    def test_a_block_has_its_marks_and_what_it_prints(self):
        page = """
        <!-- swift: fragment Shop -->
        ```swift
        print(1)
        ```

        ```text
        1
        ```
        """
        plain, _, _ = self.program(page)
        self.assertEqual([(p.blocks[0].line, p.words("fragment"), p.expected) for p in plain], [(3, ["Shop"], "1\n")])

    def test_a_mark_counts_for_the_block_right_after_it(self):
        page = """
        <!-- swift: continues -->

        Some words.

        ```swift
        print(1)
        ```
        """
        plain, _, _ = self.program(page)
        self.assertEqual(plain[0].blocks[0].marks, {})

    def test_what_continues_is_one_program_and_prints_all(self):
        block = "```swift\nprint(1)\n```\n\n```text\n1\n```\n"
        plain, _, _ = self.program(block + "<!-- swift: continues -->\n" + block)
        self.assertEqual([(len(p.blocks), p.expected) for p in plain], [(2, "1\n1\n")])

    def test_a_message_is_not_what_a_block_prints(self):
        plain, _, _ = self.program("```swift\nprint(1)\n```\n<!-- swift: message -->\n```text\nno\n```\n")
        self.assertIsNone(plain[0].expected)

    def test_a_block_is_skipped_for_a_reason_only(self):
        _, _, skipped = self.program("<!-- swift: skip because it is old -->\n```swift\nx\n```\n")
        self.assertEqual(len(skipped), 1)
        with self.assertRaises(SystemExit):
            self.program("<!-- swift: skip -->\n```swift\nx\n```\n")

    def test_a_block_is_in_its_test_as_it_stands_but_for_imports(self):
        block = docs.Block("page.md", 1, "import Flask\n@testable import App\n\nfunc f() {\n  g()\n}\n")
        self.assertTrue(docs.is_in_test(block, "import FlaskTesting\n\nfunc f() {\n  g()\n}\n"))
        self.assertFalse(docs.is_in_test(block, "func f() {\n  h()\n}\n"))

    def test_declarations_become_members_and_statements_a_body(self):
        page = "```swift\nimport FlaskDiff\nstruct A {}\nfunc f() {}\nlet a = A()\nfunc g() { _ = a }\nextension A { var b: A { self } }\n```\n"
        plain, _, _ = self.program(page)
        text = re.sub(r"#sourceLocation.*\n", "", docs.translate(plain[0], "Six"))
        self.assertEqual(
            text,
            "import FlaskDiff\n\nenum page_md_1 {\nstruct A {}\nstatic func f() {}\n@MainActor static func run() async throws {\n"
            "let a = A()\nfunc g() { _ = a }\n}\n}\nextension page_md_1.A { var b: page_md_1.A { self } }\n",
        )

    def test_a_token_that_nobody_uses_again_is_kept_to_the_end(self):
        plain, _, _ = self.program('```swift\nlet token = observe()\nprint("token")\n```\n')
        self.assertIn("withExtendedLifetime(token) {}", docs.translate(plain[0], "Six"))

    def test_the_types_of_a_model_are_nonisolated_where_the_main_actor_is_the_default(self):
        for line, expected in [
            ("struct Item: Codable {", "nonisolated struct Item: Codable {"),
            ("final class Feed: Substance<Item> {", "nonisolated final class Feed: Substance<Item> {"),
            ("struct Shown: View {", "struct Shown: View {"),
            ("final class Screen {", "final class Screen {"),
            ("@MainActor struct Item {", "@MainActor struct Item {"),
        ]:
            self.assertEqual(docs.nonisolated(line), expected)


class SiteTests(unittest.TestCase):
    def page(self, folder, path, sections, kind="class"):
        file = Path(folder) / "Kit.doccarchive/data/documentation" / f"{path.lower()}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        sections = [
            {"title": title, "identifiers": [f"doc://Kit/documentation/{path}/{name}" for name in names], "generated": not by_hand}
            for title, by_hand, names in sections
        ]
        content = {"identifier": {"url": f"doc://Kit/documentation/{path}"}, "metadata": {"symbolKind": kind}, "topicSections": sections}
        file.write_text(json.dumps(content))
        return Path(folder) / "Kit.doccarchive"

    def problems(self, path, sections, kind="class"):
        with tempfile.TemporaryDirectory() as folder:
            return site.unsorted(self.page(folder, path, sections, kind))

    def test_a_symbol_of_a_module_under_no_topic_is_named(self):
        found = self.problems("Kit", [("Parts", True, ["Wheel"]), ("Classes", False, ["Axle"])], "module")
        self.assertEqual(found, ["Kit: under no topic of a page in Sources/Kit/Kit.docc:\n    - ``Axle``"])

    def test_a_member_of_a_type_that_is_sorted_in_part_is_named(self):
        found = self.problems("Kit/Wheel", [("Turning", True, ["turn()"]), ("Instance Methods", False, ["stop()"])])
        self.assertEqual(found, ["Kit/Wheel: under no topic of a page in Sources/Kit/Kit.docc:\n    - ``stop()``"])

    def test_the_members_of_small_types_alone_are_left_to_docc(self):
        few, many = [f"a{n}" for n in range(12)], [f"a{n}" for n in range(13)]
        self.assertEqual(self.problems("Kit/Wheel", [("Instance Methods", False, few)]), [])
        self.assertEqual(len(self.problems("Kit/Wheel", [("Instance Methods", False, many)])), 1)

    def test_default_implementations_and_overloads_need_no_topic(self):
        self.assertEqual(self.problems("Kit/Wheel", [("A", True, ["b"]), ("Default Implementations", False, ["c"])]), [])
        self.assertEqual(self.problems("Kit/Wheel/turn()", [("Methods", False, [f"a{n}" for n in range(13)])], "method"), [])

    def test_of_twins_for_language_modes_the_one_for_swift_6_is_kept(self):
        def symbol(name, **mode):
            return {"identifier": {"precise": name}, "availability": [{"domain": "Swift", **mode}, {"domain": "macOS"}]}

        graph = {
            "symbols": [symbol("five", obsoleted={"major": 6}), symbol("six", introduced={"major": 6})],
            "relationships": [{"source": "five", "target": "type"}, {"source": "six", "target": "type"}],
        }
        self.assertEqual(
            site.without_twins(graph),
            {
                "symbols": [{"identifier": {"precise": "six"}, "availability": [{"domain": "macOS"}]}],
                "relationships": [{"source": "six", "target": "type"}],
            },
        )

    def test_a_page_becomes_an_article(self):
        page = """
        # The `Wheel`

        A `Wheel` turns as [this page](turning.md#how) says.
        <!-- swift: fragment Wheel -->
        ```swift
        let link = "[a](b.md)" // `Wheel`
        ```
        A `Wheel`, an `axle`, another `Wheel`.
        """
        text = site.article_text(textwrap.dedent(page), lambda picture, text, address: f"<{text}|{address}>", {"Wheel": "/Kit/Wheel"})
        expected = """
        # The Wheel

        A `Wheel` turns as <this page|turning.md#how> says.
        ```swift
        let link = "[a](b.md)" // `Wheel`
        ```
        A ``/Kit/Wheel``, an `axle`, another `Wheel`.
        """
        self.assertEqual(text, textwrap.dedent(expected).lstrip())

    def test_an_anchor_is_what_hosts_make_of_a_heading(self):
        self.assertEqual(site.anchor("Locks, and `async` work: how?"), "locks-and-async-work-how")


if __name__ == "__main__":
    unittest.main()
