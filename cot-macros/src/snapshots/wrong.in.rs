pub process Wrong {
    state: State,
    intro: "${sate.x}",
    task decide { transitions: { add_feild, done } }
    task add_field -> Field { update: { fields[] = item }, next: decide }
    task done { end, prompt: "?" }
}
