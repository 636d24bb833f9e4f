// What is kept of a run that failed: its newest entries, and no secret.
#include <cctype>
#include <filesystem>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "skill/store/unspread.h"
#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;
using hebb::test::read_text;

namespace {

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("a failure report has the newest requests", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(
      page("<button id=b>Delete</button><p id=out></p><script>(async () => { for (let i = "
           "0; i < 520; ++i) await fetch('/first?' + i); await fetch('/last');"
           " out.textContent = 'done' })()</script>"),
      {step(StepKind::wait, {}, {{"text", "done"}}),
       step(StepKind::click, {by(SelectorType::css, "#b")})});
  w.keep_evidence();
  w.options.step_timeout_ms = 20'000;
  const ReplayResult r = w.run();
  REQUIRE(failure(r).starts_with("RISKY_ACTION"));
  const std::string network = read_text(r.failure->evidence + "/network.json");
  CHECK(has(network, "/last\""));
  CHECK(has(network, "/first?519"));
  CHECK_FALSE(has(network, "/first?9\""));
}

TEST_CASE("after more dialogs than are kept, a step is given its own", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<button onclick=\"for (let i = 0; i < 520; ++i) alert(i)\">Many</button>"
                     "<button onclick=\"document.title = prompt('Who?')\">Ask</button>"),
                {click("Many"), click("Ask"), step(StepKind::dialog, {}, {{"value", "Ada"}})});
  w.contract("told", R"({"assertions":[{"title":"Ada"}]})");
  w.skill.contract_id = "told";
  w.record();
  REQUIRE(w.skill.elements[2]);
  CHECK(w.skill.elements[2]->message == "prompt: Who?");
}

namespace {

struct SecretWorld : ReplayWorld {
  SecretValues secrets;

  // A page that shows what is typed by `script`, in which `v` is the text.
  SecretWorld(const std::string& body, const std::string& script, const std::string& secret)
      : ReplayWorld(
            page("<input aria-label=Password type=password oninput=\"show(value); blur()\">" +
                 body + "<script>const show = (v) => { " + script + " }</script>"),
            {fill("Password", "${SECRET:PW}"), click("Nothing")}) {
    secrets.add("PW", secret);
    options.secrets = &secrets;
    options.step_timeout_ms = 300;
    keep_evidence();
  }
  // The folder of what is kept.
  std::string keep() { return run().failure->evidence; }
};

constexpr const char* kSecret = "hunter2secret";

// Ways in which a page shows what is typed, each in an element `out` of its own.
const std::vector<const char*> kShown{
    "out.innerHTML = letters(v)",
    "out.innerHTML = 'Yours: <i>' + v.slice(0, 7) + '</i>' + v.slice(7)",
    "out.innerHTML = v.slice(0, 4) + '<b>' + v.slice(4, 8) + '<i>' + v.slice(8) + '</i></b>'",
    "out.textContent = [...v].join(' ')",
    "out.textContent = [...v].join('\\u200b')",
    "out.innerHTML = [...v].map((c) => '<div>' + c + '</div>').join('')",
    "out.style.textTransform = 'uppercase'; out.textContent = v",
    "out.innerHTML = '<input>'; out.firstChild.setAttribute('value', v)",
    "out.innerHTML = '<input>'; out.firstChild.placeholder = v",
    "out.innerHTML = [...v].map((c) => '<input size=1 value=' + c + '>').join('')",
    "out.innerHTML = [...v].map((c) => '<b class=drawn data-c=' + c + '></b>').join('')",
    "out.title = v",
    "out.innerHTML = '<img>'; out.firstChild.src = 'data:image/svg+xml,' + encodeURIComponent("
    "'<svg xmlns=\"http://www.w3.org/2000/svg\"><text y=\"20\">' + v + '</text></svg>')",
    "out.innerHTML = '<iframe></iframe>'; out.firstChild.srcdoc = '<p>' + letters(v)",
    "out.attachShadow({mode: 'open'}).innerHTML = '<b>' + v.slice(0, 5) + '</b>' + v.slice(5)",
    "out.innerHTML = '<svg height=20><text y=15>' + v + '</text></svg>'",
    "console.log(...v); for (const c of v) console.log(c)",
    "fetch('/?q=' + encodeURIComponent(v) + '&b=' + btoa(v)).catch(() => 0)",
};

}  // namespace

TEST_CASE("evidence tells no secret that a page spreads over its parts", "[browser]") {
  NEEDS_BROWSER();
  std::string body =
      "<style>p { margin: 0 } iframe { height: 40px } img { height: 20px }"
      ".drawn::before { content: attr(data-c) }</style>";
  std::string script = "const letters = (v) => [...v].map((c) => '<b>' + c + '</b>').join('');";
  for (std::size_t i = 0; i < kShown.size(); ++i) {
    body += fmt::format("<p id=out{}></p>", i);
    script += fmt::format("{{ const out = out{}; {} }}", i, kShown[i]);
  }
  std::vector<std::string> pictures;
  for (const std::string secret : {kSecret, "7abcdefghijkl"}) {
    SecretWorld w(body, script, secret);
    const std::string folder = w.keep();
    CHECK_FALSE(Json::parse(read_text(folder + "/failure.json")).contains("left_out"));
    for (const char* part : {"dom.html", "accessibility.txt", "console.txt", "network.json"}) {
      INFO(part);
      const std::string kept = read_text(folder + "/" + part);
      std::string text;  // its letters that stand in no tag
      bool in_tag = false;
      for (const char c : kept) {
        in_tag = c == '<' || (in_tag && c != '>');
        if (!in_tag && std::isalnum(static_cast<unsigned char>(c)) != 0)
          text += static_cast<char>(std::tolower(c));
      }
      CHECK_FALSE(has(text, secret));
      CHECK_FALSE(has(kept, secret));
      CHECK(has(kept, "${SECRET:PW}"));
    }
    pictures.push_back(read_text(folder + "/screenshot.png"));
  }
  // Of two secrets of one length there is one picture.
  CHECK(pictures[0] == pictures[1]);
}

TEST_CASE("a picture that shows a secret which cannot be covered is not kept", "[browser]") {
  NEEDS_BROWSER();
  for (const char* script :
       {"out.style = 'display: flex; flex-direction: row-reverse; justify-content: left';"
        "out.innerHTML = [...v].reverse().map((c) => '<b>' + c + '</b>').join('')",
        "out.attachShadow({mode: 'closed'}).innerHTML = '<b>' + v.slice(0, 5) + '</b>' + "
        "v.slice(5)",
        "out.innerHTML = [...v].map((c) => '<b>' + c + '</b>').join('<i hidden>x</i>')"}) {
    INFO(script);
    SecretWorld w("<p id=out></p>", script, kSecret);
    const std::string folder = w.keep();
    CHECK_FALSE(std::filesystem::exists(folder + "/screenshot.png"));
    const Json told = Json::parse(read_text(folder + "/failure.json"));
    REQUIRE(told.contains("left_out"));
    CHECK(told["left_out"][0] == "screenshot.png: it may show a secret");
  }
}

TEST_CASE("a document that tells a secret with signs between its letters is not kept",
          "[browser]") {
  NEEDS_BROWSER();
  SecretWorld w("<p id=out></p>", "out.textContent = [...v].join('-')", kSecret);
  const std::string folder = w.keep();
  CHECK_FALSE(std::filesystem::exists(folder + "/dom.html"));
  CHECK(has(read_text(folder + "/failure.json"), "dom.html: it may tell a secret"));
}

TEST_CASE("spread secrets are taken out of a text, and nothing else is") {
  SecretValues secrets;
  secrets.add("PW", "a&b \"c\" d");
  secrets.fill("${SECRET:PW}");
  const auto html = [&](const std::string& text) {
    return without_secrets(text, html_tracks(text), secrets).value_or("left out");
  };
  CHECK(html("<p>a&amp;b \"c\" d</p>") == "<p>${SECRET:PW}</p>");
  CHECK(html("<p>x <b>a&amp;</b><i>b</i> \"c\"&nbsp;<u>D</u> y</p>") ==
        "<p>x <b>${SECRET:PW}</b><i></i><u></u> y</p>");
  CHECK(html("<p title=\"a&amp;b &quot;c&quot; d\"></p>") == "<p title=\"${SECRET:PW}\"></p>");
  CHECK(html("<b>a&amp;b</b><script>\"c\" d</script>") == "<b>a&amp;b</b><script>\"c\" d</script>");
  CHECK(html("<p>a&amp;b <!-- > <b> -->\"c\" d</p>") == "<p>${SECRET:PW}<!-- > <b> --></p>");
  CHECK(html("<p>a</p") == "<p>a</p");
  CHECK(html("<p>a&amp;b<script>1</script> \"c\" d</p>") ==
        "<p>${SECRET:PW}<script>1</script></p>");
  CHECK(html("<iframe srcdoc=\"&lt;b>a&amp;b</b&gt;<i> &quot;c&quot; d</i>\"></iframe>") ==
        "<iframe srcdoc=\"&lt;b>${SECRET:PW}</b&gt;<i></i>\"></iframe>");
}

}  // namespace hebb::skill::test
