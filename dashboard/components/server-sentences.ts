import { t } from '../../contract/text.ts'

type Sentence = [pattern: RegExp, render: (...parts: string[]) => string]

/**
 * Sentences the server writes in English. Each renders as matched, and the build for another language translates the
 * rendering.
 */
const SENTENCES: Sentence[] = [
  [/^(.+) \(guest\) mentioned you on “(.*)”$/, (who, what) => t`${who} (guest) mentioned you on “${what}”`],
  [/^(.+) mentioned you on “(.*)”$/, (who, what) => t`${who} mentioned you on “${what}”`],
  [/^(.+) \(guest\) replied on “(.*)”$/, (who, what) => t`${who} (guest) replied on “${what}”`],
  [/^(.+) replied on “(.*)”$/, (who, what) => t`${who} replied on “${what}”`],
  [/^(.+) accepted your invitation$/, (who) => t`${who} accepted your invitation`],
  [/^(.+) needs your approval in “(.*)”$/, (agent, chat) => t`${agent} needs your approval in “${chat}”`],
  [/^The run of (.+) in “(.*)” has finished$/, (agent, chat) => t`${agent}’s run in “${chat}” has finished`],
  [/^The run of (.+) in “(.*)” has failed$/, (agent, chat) => t`${agent}’s run in “${chat}” has failed`],
  [/^The run of (.+) in “(.*)” was canceled$/, (agent, chat) => t`${agent}’s run in “${chat}” was canceled`],
  [/^(.+)’s run in “(.*)” has finished$/, (agent, chat) => t`${agent}’s run in “${chat}” has finished`],
  [/^(.+)’s run in “(.*)” has failed$/, (agent, chat) => t`${agent}’s run in “${chat}” has failed`],
  [/^(.+)’s run in “(.*)” was canceled$/, (agent, chat) => t`${agent}’s run in “${chat}” was canceled`],
  [/^The schedule “(.*)” is paused$/, (name) => t`The schedule “${name}” is paused`],
  [
    /^The connection to (.+) has to be authorized again$/,
    (name) => t`The connection to ${name} has to be authorized again`,
  ],
  [/^The webhook (.+) was disabled$/, (name) => t`The webhook ${name} was disabled`],
  [
    /^Events could not be delivered to the webhook (.+)$/,
    (name) => t`Events could not be delivered to the webhook ${name}`,
  ],
  [/^The API key “(.*)” expires on (.+)$/, (name, day) => t`The API key “${name}” expires on ${day}`],
  [/^A machine payment waits for approval$/, () => t`A machine payment waits for approval`],
  [/^Machine payments wait for approval$/, () => t`Machine payments wait for approval`],
  [/^The budget of (.+) is reached$/, (name) => t`The budget of ${name} is reached`],
  [/^It expires on ([\d-]+): authorize it again$/, (day) => t`It expires on ${day}: authorize it again`],
  [/^It has to be authorized again$/, () => t`It has to be authorized again`],
  [/^It does not work$/, () => t`It does not work`],
  [/^The token was revoked$/, () => t`The token was revoked`],
  [/^The server disabled it$/, () => t`The server disabled it`],
  [/^Its endpoint fails$/, () => t`Its endpoint fails`],
  [/^Paused: 1 delivery held$/, () => t`Paused: 1 delivery held`],
  [/^Paused: (\d+) deliveries held$/, (count) => t`Paused: ${count} deliveries held`],
  [/^Paused: More than 20 deliveries held$/, () => t`Paused: More than 20 deliveries held`],
  [/^1 delivery failed$/, () => t`1 delivery failed`],
  [/^(\d+) deliveries failed$/, (count) => t`${count} deliveries failed`],
  [/^More than 20 deliveries failed$/, () => t`More than 20 deliveries failed`],
  [/^The organization$/, () => t`The organization`],
  [/^A private project$/, () => t`A private project`],
  [
    /^(\d+) % of the run budget is spent(.*)$/,
    (share, rest) => t`${share} % of the run budget is spent${rest}`,
  ],
  [
    /^(\d+) % of today’s budget is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? t`${share} % of today’s budget is spent, ${spent} of ${amount}`
        : t`${share} % of today’s budget is spent`,
  ],
  [
    /^(\d+) % of this month’s budget is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? t`${share} % of this month’s budget is spent, ${spent} of ${amount}`
        : t`${share} % of this month’s budget is spent`,
  ],
  [
    /^(\d+) % of the budget is spent(?:, (\S+) of (\S+))?$/,
    (share, spent, amount) =>
      spent
        ? t`${share} % of the budget is spent, ${spent} of ${amount}`
        : t`${share} % of the budget is spent`,
  ],
  [
    /^(\d+) % of the budget of (.+) is spent$/,
    (share, name) => t`${share} % of the budget of ${name} is spent`,
  ],
]

/** Returns other text unchanged. */
export function localizeSentence(text: string): string {
  for (const [pattern, render] of SENTENCES) {
    const match = pattern.exec(text)
    if (match) return render(...match.slice(1))
  }
  return text
}
