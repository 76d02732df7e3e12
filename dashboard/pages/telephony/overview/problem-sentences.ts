import { t } from '../../../../contract/text.ts'
import { renderSentence, type Sentence } from '../../../components/server-sentences.ts'

/** The server writes problems in English (`server/features/telephony/overview/problems.ts`). */
export const localizeProblem = (text: string): string => renderSentence(SENTENCES, text)

const SENTENCES: Sentence[] = [
  [
    /^The connection for (.+) has to be authorized again by its owner$/,
    (name) => t`The connection for ${name!} has to be authorized again by its owner`,
  ],
  [/^The connection for (.+) does not work$/, (name) => t`The connection for ${name!} does not work`],
  [/^The connection for (.+) was revoked$/, (name) => t`The connection for ${name!} was revoked`],
  [/^The connection for (.+) is not complete$/, (name) => t`The connection for ${name!} is not complete`],
  [/^(\+\d+): does not work$/, (number) => t`${number!}: does not work`],
  [/^The project for (.+) is deleted$/, (name) => t`The project for ${name!} is deleted`],
  [
    /^The member who (?:imported|added) (.+) has left the organization$/,
    (name) => t`The member who added ${name!} has left the organization`,
  ],
  [
    /^The member who (?:imported|added) (.+) cannot edit its project$/,
    (name) => t`The member who added ${name!} cannot edit its project`,
  ],
  [
    /^The agent (.+), used by a voice agent, is archived$/,
    (name) => t`The agent ${name!}, used by a voice agent, is archived`,
  ],
  [/^The rule “(.+)”: (.+)$/, (name, problem) => t`The rule “${name!}”: ${problem!}`],
  [
    /^No rule answers calls and text messages to (.+)$/,
    (number) => t`No rule answers calls and text messages to ${number!}`,
  ],
  [/^No rule answers calls to (.+)$/, (number) => t`No rule answers calls to ${number!}`],
  [/^No rule answers text messages to (.+)$/, (number) => t`No rule answers text messages to ${number!}`],
  [
    /^1 call in the last day ended because a budget was reached$/,
    () => t`1 call in the last day ended because a budget was reached`,
  ],
  [
    /^(\d+) calls in the last day ended because a budget was reached$/,
    (count) => t`${count!} calls in the last day ended because a budget was reached`,
  ],
  [
    /^1 text message in the last day did not reach the recipient$/,
    () => t`1 text message in the last day did not reach the recipient`,
  ],
  [
    /^(\d+) text messages in the last day did not reach the recipient$/,
    (count) => t`${count!} text messages in the last day did not reach the recipient`,
  ],
]
