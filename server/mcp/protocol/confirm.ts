import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server'
import { forbidden } from '../../errors.ts'
import type { PlannedCall } from '../call-tool.ts'

/** Edits that delete more blocks need the user's confirmation. */
const DELETIONS_MAX = 20
export const CONFIRMED_TOOL = 'edit_canvas'
const KEY = 'confirm'

export function deletionsToConfirm({ tool, input }: PlannedCall): number | null {
  if (tool.name !== CONFIRMED_TOOL) return null
  const { length } = (input as { delete: string[] }).delete
  return length > DELETIONS_MAX ? length : null
}

export const question = (deletions: number) => ({
  mode: 'form' as const,
  message: `Delete ${deletions} blocks and edges from the canvas? You can undo it in the project history.`,
  requestedSchema: {
    type: 'object' as const,
    properties: { [KEY]: { type: 'boolean' as const, title: 'Delete them', default: false } },
    required: [KEY],
  },
})

export const askForConfirmation = (deletions: number) =>
  inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(question(deletions)) } })

/** Null until answered. */
export function readConfirmation({ mcpReq: { inputResponses } }: ServerContext): boolean | null {
  const answer = inputResponse(inputResponses, KEY)
  if (answer.kind === 'missing') return null
  return answer.kind === 'elicit' && isAccepted(answer)
}

export const isAccepted = ({ action, content }: { action: string; content?: unknown }): boolean =>
  action === 'accept' && (content as Record<string, unknown> | undefined)?.[KEY] === true

export const notConfirmed = () =>
  forbidden('The user did not confirm the deletion, so nothing was changed', { reason: 'not_confirmed' })
