import { t } from '../../contract/text.ts'
import { formatCost } from './amounts.ts'
import { formatDay } from './dates.ts'

export type Sentence = [pattern: RegExp, render: (...parts: string[]) => string]

/** The server names agents and, if it may not name a record, its kind. */
function ownerOf(name: string): string {
  const agent = /^the agent (.+)$/.exec(name)?.[1]
  if (agent) return t`the agent ${agent}`
  return OWNERS[name] ?? name
}

const OWNERS: Record<string, string> = {
  'the organization': t`the whole organization`,
  'a project': t`a project`,
  'an agent': t`an agent`,
  'a member': t`a member`,
  'an API key': t`an API key`,
}

const BUDGETS_REACHED: Record<string, (name: string) => string> = {
  'per run': (name) => t`The budget of ${name} per run is reached`,
  'for this day': (name) => t`The budget of ${name} for this day is reached`,
  'for this month': (name) => t`The budget of ${name} for this month is reached`,
  'in total': (name) => t`The budget of ${name} in total is reached`,
}

const BUDGETS_SPENT: Record<string, (share: string, name: string) => string> = {
  'per run': (share, name) => t`${share}% of the budget of ${name} per run is spent`,
  'for this day': (share, name) => t`${share}% of the budget of ${name} for this day is spent`,
  'for this month': (share, name) => t`${share}% of the budget of ${name} for this month is spent`,
  'in total': (share, name) => t`${share}% of the budget of ${name} in total is spent`,
}

const BUDGETS_USED: Record<string, (share: string) => string> = {
  'the run': (share) => t`${share}% of the run budget is spent`,
  'today’s': (share) => t`${share}% of today’s budget is spent`,
  'this month’s': (share) => t`${share}% of this month’s budget is spent`,
  the: (share) => t`${share}% of the budget is spent`,
}

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
  [
    /^(?:The run of )?(.+?)(?:’s run)? in “(.*)” has finished$/,
    (agent, chat) => t`${agent}’s run in “${chat}” has finished`,
  ],
  [
    /^(?:The run of )?(.+?)(?:’s run)? in “(.*)” has failed$/,
    (agent, chat) => t`${agent}’s run in “${chat}” has failed`,
  ],
  [
    /^(?:The run of )?(.+?)(?:’s run)? in “(.*)” was canceled$/,
    (agent, chat) => t`${agent}’s run in “${chat}” was canceled`,
  ],
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
  [
    /^A machine payment (?:is waiting|waits) for approval$/,
    () => t`A machine payment is waiting for approval`,
  ],
  [
    /^Machine payments (?:are waiting|wait) for approval$/,
    () => t`Machine payments are waiting for approval`,
  ],
  [
    /^The budget of (.+) (per run|for this day|for this month|in total) is reached$/,
    (name, period) => BUDGETS_REACHED[period!]!(ownerOf(name!)),
  ],
  [/^The budget of (.+) is reached$/, (name) => t`The budget of ${ownerOf(name!)} is reached`],
  [
    /^It expires on ([\d-]+): authorize it again$/,
    (day) => t`It expires on ${formatDay(day!)}: authorize it again`,
  ],
  [/^It has to be authorized again$/, () => t`It has to be authorized again`],
  [/^It does not work$/, () => t`It does not work`],
  [/^The token was revoked$/, () => t`The token was revoked`],
  [/^The server disabled it$/, () => t`The server disabled it`],
  [/^The endpoint responded with (\d+)( Gone)?$/, (status) => t`The endpoint responded with ${status!}`],
  [/^No delivery has succeeded for 120 hours$/, () => t`No delivery has succeeded for 120 hours`],
  [/^1 job failed permanently$/, () => t`1 job failed permanently`],
  [/^(\d+) jobs failed permanently$/, (count) => t`${count!} jobs failed permanently`],
  [/^1 email could not be sent$/, () => t`1 email could not be sent`],
  [/^(\d+) emails could not be sent$/, (count) => t`${count!} emails could not be sent`],
  [/^No process runs jobs$/, () => t`No process runs jobs`],
  [
    /^([\d.]+)% of the requests failed on the server in the last (\d+) minutes$/,
    (share, minutes) => t`${share}% of the requests failed on the server in the last ${minutes} minutes`,
  ],
  [
    /^([\d.]+)% of the job runs failed in the last (\d+) minutes$/,
    (share, minutes) => t`${share}% of the job runs failed in the last ${minutes} minutes`,
  ],
  [
    /^([\d.]+)% of the delivery attempts failed in the last (\d+) minutes$/,
    (share, minutes) => t`${share}% of the delivery attempts failed in the last ${minutes} minutes`,
  ],
  [
    /^([\d.]+)% of the model calls failed in the last (\d+) minutes$/,
    (share, minutes) => t`${share}% of the model calls failed in the last ${minutes} minutes`,
  ],
  [
    /^(\d+) of (\d+) database connections are used$/,
    (used, all) => t`${used} of ${all} database connections are used`,
  ],
  [/^(\d+) ?% of the disk is free$/, (share) => t`${share!}% of the disk is free`],
  [/^The file storage is full: uploads fail$/, () => t`The file storage is full: uploads fail`],
  [/^The file storage does not respond$/, () => t`The file storage does not respond`],
  [/^Its endpoint fails$/, () => t`Its endpoint fails`],
  [/^Paused: 1 delivery held$/, () => t`Paused: 1 delivery held`],
  [/^Paused: (\d+) deliveries held$/, (count) => t`Paused: ${count} deliveries held`],
  [/^Paused: More than 20 deliveries held$/, () => t`Paused: More than 20 deliveries held`],
  [/^1 delivery failed$/, () => t`1 delivery failed`],
  [/^(\d+) deliveries failed$/, (count) => t`${count} deliveries failed`],
  [/^More than 20 deliveries failed$/, () => t`More than 20 deliveries failed`],
  [/^The organization$/, () => t`The organization`],
  [/^(?:A private|Private) project$/, () => t`Private project`],
  [
    /^(\d+) ?% of (the run|today’s|this month’s|the) budget is spent(?:, \$([\d.]+) of \$([\d.]+))?$/,
    (share, period, spent, amount) => {
      const used = BUDGETS_USED[period!]!(share!)
      return spent && amount
        ? t`${used}, ${formatCost({ amount: spent })} of ${formatCost({ amount })}`
        : used
    },
  ],
  [
    /^(\d+) ?% of the budget of (.+) (per run|for this day|for this month|in total) is spent$/,
    (share, name, period) => BUDGETS_SPENT[period!]!(share!, ownerOf(name!)),
  ],
  [
    /^(\d+) ?% of the budget of (.+) is spent$/,
    (share, name) => t`${share}% of the budget of ${ownerOf(name!)} is spent`,
  ],
]

export const localizeSentence = (text: string): string => renderSentence(SENTENCES, text)

/** Returns other text unchanged. */
export function renderSentence(sentences: readonly Sentence[], text: string): string {
  for (const [pattern, render] of sentences) {
    const match = pattern.exec(text)
    if (match) return render(...match.slice(1))
  }
  return text
}

interface SentencePart {
  text: string
  /** The actor, or what quotation marks enclose. */
  isName: boolean
}

const QUOTED = /([“„][^“”„]+[”“])/

/** Divides a notification's sentence, so that its names can stand out. */
export function splitSentence(sentence: string, actorName = ''): SentencePart[] {
  const startsWithActor = actorName !== '' && sentence.startsWith(actorName)
  const rest = startsWithActor ? sentence.slice(actorName.length) : sentence
  const parts = rest.split(QUOTED).map((text, index) => ({ text, isName: index % 2 === 1 }))
  return [...(startsWithActor ? [{ text: actorName, isName: true }] : []), ...parts].filter(
    ({ text }) => text !== '',
  )
}
