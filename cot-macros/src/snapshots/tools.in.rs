process Desk {
    state: Shop,
    context: App,
    history: { max_items: 9, tools: all },
    max_tool_calls: 9,
    tools: {
        search: catalogue::search "Searches the catalogue",
        pay: charge "Charges the card" {
            effect: once, approve: person, timeout: 30s, retry: { max: 3 }, mock: fake_charge,
        } if state.is_confirmed,
        own: source app.own { only: all },
        files: source app.files { only: [read_text_file, "list-directory"] },
    },
    task answer -> Answer {
        tools: [search, files, pay if state.total > 0],
        max_tool_calls: 5,
        on: { interrupted => done },
        next: call,
    }
    task call -> ToolRound {
        calls: state.calls,
        tools: [search, own, pay if state.total > 0],
        max_concurrency: 4,
        next: done,
    }
    task done { end }
}
