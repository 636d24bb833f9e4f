// skill contract set, list.

#include "api/common.h"
#include "api/files.h"
#include "api/skill.h"

namespace hebb::api {

struct ContractSetRequest {
  std::string contract;
  std::vector<std::string> text, url, title, element;
  std::string from;
};
RECORD(ContractSetRequest, FIELD(contract, "Its id", {.required = true, .positional = true}),
       FIELD(text, "Text on the page"), FIELD(url, "The page's address; * is any part of it"),
       FIELD(title, "A part of the page's title"),
       FIELD(element, "ROLE:NAME of an element that can be seen"),
       FIELD(from, "A file with {\"assertions\": […]}", {.local = true}))

struct Assertion : skill::Assertion {
  std::string in_words;
};
RECORD(Assertion, part<skill::Assertion>(self), FIELD(in_words, "The same in words"))

struct Contract {
  std::string contract_id;
  std::vector<Assertion> assertions;
};
RECORD(Contract, FIELD(contract_id, "Its id"), FIELD(assertions, "All must hold"))

struct ContractSaved {
  Contract contract;
  bool created = false;
};
RECORD(ContractSaved, FIELD(contract, "The contract as it is stored"),
       FIELD(created, "It is new; else it replaced what was there"))

namespace {

Json element_of(const std::string& spec) {  // ROLE:NAME
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos || colon == 0) {
    throw invalid("element", "{} is \"{}\", which is not ROLE:NAME", named("element"), spec);
  }
  return {{"element", {{"role", spec.substr(0, colon)}, {"name", spec.substr(colon + 1)}}}};
}

Json assertions_of(const ContractSetRequest& request) {
  Json list = Json::array();
  for (const auto& url : request.url) list.push_back({{"url", url}});
  for (const auto& title : request.title) list.push_back({{"title", title}});
  for (const auto& text : request.text) list.push_back({{"text", text}});
  for (const auto& element : request.element) list.push_back(element_of(element));
  return {{"assertions", std::move(list)}};
}

Contract in_words(const skill::Contract& contract) {
  Contract result{contract.id, {}};
  for (const skill::Assertion& a : contract.assertions)
    result.assertions.push_back({a, skill::describe(a)});
  return result;
}

}  // namespace

ContractSaved contract_set(Session& session, const ContractSetRequest& request) {
  constexpr std::size_t kBytes = 60 << 10;
  const Json json = request.from.empty()
                        ? assertions_of(request)
                        : skill::parse_json(read_file(request.from), request.from, kBytes);
  const skill::Contract given = skill::read_contract(request.contract, json);
  return write(session, [&](Engine& engine) {
    ContractSaved result;
    result.created = skill::save_contract(engine, given, session.now());
    result.contract = in_words(skill::load_contract(engine, request.contract).value());
    return result;
  });
}

struct ContractsResult {
  std::vector<Contract> contracts;
};
RECORD(ContractsResult, FIELD(contracts, "The contracts, by id"))

ContractsResult contract_list(Session& session, const Nothing&) {
  ContractsResult result;
  for (const skill::Contract& contract : skill::list_contracts(session.engine(Access::read)))
    result.contracts.push_back(in_words(contract));
  return result;
}

Operations skill_contract_operations() {
  return {
      operation({.name = "contract_set",
                 .command = "skill contract set",
                 .summary = "Set all conditions of a contract",
                 .example = "  hebb skill contract set done --text \"Thank you\" --url \"*/done\"\n"
                            "  hebb skill contract set saved --element \"button:Edit\"\n"
                            "  hebb skill contract set saved --from saved.json",
                 .route = "POST /skill/contracts",
                 .idempotent = true},
                contract_set),
      operation({.name = "contract_list",
                 .command = "skill contract list",
                 .summary = "All contracts",
                 .example = "  hebb skill contract list\n  hebb skill contract list --json",
                 .route = "GET /skill/contracts"},
                contract_list),
  };
}

}  // namespace hebb::api
