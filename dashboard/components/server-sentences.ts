type Sentence = [pattern: RegExp, render: (...parts: string[]) => string]

/**
 * Sentences that the server writes in English. Each renders as it is matched, and the build for another language
 * translates the rendering.
 */
const SENTENCES: Sentence[] = [
  [/^(.+) \(guest\) mentioned you on “(.*)”$/, (who, what) => `${who} (guest) mentioned you on “${what}”`],
  [/^(.+) mentioned you on “(.*)”$/, (who, what) => `${who} mentioned you on “${what}”`],
  [/^(.+) \(guest\) replied on “(.*)”$/, (who, what) => `${who} (guest) replied on “${what}”`],
  [/^(.+) replied on “(.*)”$/, (who, what) => `${who} replied on “${what}”`],
  [/^(.+) accepted your invitation$/, (who) => `${who} accepted your invitation`],
  [/^(.+) needs your approval in “(.*)”$/, (agent, chat) => `${agent} needs your approval in “${chat}”`],
  [
    /^The run of (.+) in “(.*)” has finished$/,
    (agent, chat) => `The run of ${agent} in “${chat}” has finished`,
  ],
  [/^The run of (.+) in “(.*)” has failed$/, (agent, chat) => `The run of ${agent} in “${chat}” has failed`],
  [
    /^The run of (.+) in “(.*)” was canceled$/,
    (agent, chat) => `The run of ${agent} in “${chat}” was canceled`,
  ],
  [/^The schedule “(.*)” is paused$/, (name) => `The schedule “${name}” is paused`],
  [
    /^The connection to (.+) has to be authorized again$/,
    (name) => `The connection to ${name} has to be authorized again`,
  ],
  [/^The webhook (.+) was disabled$/, (name) => `The webhook ${name} was disabled`],
  [
    /^Events could not be delivered to the webhook (.+)$/,
    (name) => `Events could not be delivered to the webhook ${name}`,
  ],
  [/^The API key “(.*)” expires on (.+)$/, (name, day) => `The API key “${name}” expires on ${day}`],
  [/^A machine payment waits for approval$/, () => 'A machine payment waits for approval'],
  [/^Machine payments wait for approval$/, () => 'Machine payments wait for approval'],
  [/^The budget of (.+) is reached$/, (name) => `The budget of ${name} is reached`],
  [/^It expires on ([\d-]+): authorize it again$/, (day) => `It expires on ${day}: authorize it again`],
  [/^It has to be authorized again$/, () => 'It has to be authorized again'],
  [/^It does not work$/, () => 'It does not work'],
  [/^The token was revoked$/, () => 'The token was revoked'],
  [/^The server disabled it$/, () => 'The server disabled it'],
  [/^Its endpoint fails$/, () => 'Its endpoint fails'],
  [/^Paused: 1 delivery held$/, () => 'Paused: 1 delivery held'],
  [/^Paused: (\d+) deliveries held$/, (count) => `Paused: ${count} deliveries held`],
  [/^Paused: More than 20 deliveries held$/, () => 'Paused: More than 20 deliveries held'],
  [/^1 delivery failed$/, () => '1 delivery failed'],
  [/^(\d+) deliveries failed$/, (count) => `${count} deliveries failed`],
  [/^More than 20 deliveries failed$/, () => 'More than 20 deliveries failed'],
  [/^The organization$/, () => 'The organization'],
  [/^A private project$/, () => 'A private project'],
  [
    /^(\d+) % of the budget of a run is spent(.*)$/,
    (share, rest) => `${share} % of the run budget is spent${rest}`,
  ],
  [
    /^(\d+) % of the budget of today is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? `${share} % of today’s budget is spent, ${spent} of ${amount}`
        : `${share} % of today’s budget is spent`,
  ],
  [
    /^(\d+) % of the budget of this month is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? `${share} % of this month’s budget is spent, ${spent} of ${amount}`
        : `${share} % of this month’s budget is spent`,
  ],
  [
    /^(\d+) % of the budget is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? `${share} % of the budget is spent, ${spent} of ${amount}`
        : `${share} % of the budget is spent`,
  ],
  [
    /^(\d+) % of the budget of (.+) is spent$/,
    (share, name) => `${share} % of the budget of ${name} is spent`,
  ],
]

/** A sentence of the server in the language of the page. A text that is none of its sentences stays as it is. */
export function localizeSentence(text: string): string {
  for (const [pattern, render] of SENTENCES) {
    const match = pattern.exec(text)
    if (match) return render(...match.slice(1))
  }
  return text
}
