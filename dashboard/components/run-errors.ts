import { t } from '../../contract/text.ts'
import { renderSentence, type Sentence } from './server-sentences.ts'

/** Why a run failed or waits, as the server writes it in English. A provider's own words aren't among them. */
const ERRORS: Sentence[] = [
  [/^The provider is limiting requests$/, () => t`The provider is limiting requests`],
  [/^The provider is overloaded$/, () => t`The provider is overloaded`],
  [/^The provider had an internal error$/, () => t`The provider had an internal error`],
  [/^The provider is unreachable$/, () => t`The provider is unreachable`],
  [/^The provider’s response broke off$/, () => t`The provider’s response broke off`],
  [/^The provider did not respond in time$/, () => t`The provider did not respond in time`],
  [/^The provider did not respond$/, () => t`The provider did not respond`],
  [/^The provider rejected the API key$/, () => t`The provider rejected the API key`],
  [/^The provider account has no credit left$/, () => t`The provider account has no credit left`],
  [
    /^The provider has no such model, or the key has no access to it$/,
    () => t`The provider has no such model, or the key has no access to it`,
  ],
  [/^The provider rejected the request$/, () => t`The provider rejected the request`],
  [/^The provider refused the content$/, () => t`The provider refused the content`],
  [
    /^The conversation is longer than the model’s context window$/,
    () => t`The conversation is longer than the model’s context window`,
  ],
  [
    /^The conversation doesn’t fit into the model’s context window$/,
    () => t`The conversation doesn’t fit into the model’s context window`,
  ],
  [/^The call was canceled$/, () => t`The call was canceled`],
  [/^The model does not exist$/, () => t`The model does not exist`],
  [/^A workflow block failed$/, () => t`A workflow block failed`],
  [
    /^The server couldn’t continue the run because an internal error occurred$/,
    () => t`The server couldn’t continue the run because an internal error occurred`,
  ],
  [
    /^The server stopped five times during the same step$/,
    () => t`The server stopped five times during the same step`,
  ],
  [/^The organization does not allow the model$/, () => t`The organization does not allow the model`],
  [
    /^The model’s price isn’t known, so no budget can limit it$/,
    () => t`The model’s price isn’t known, so no budget can limit it`,
  ],
]

/** Returns other text unchanged. */
export const localizeRunError = (text: string): string => renderSentence(ERRORS, text)
