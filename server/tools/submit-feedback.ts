import { z } from 'zod'
import { feedback } from '../../contract/feedback.ts'
import { callEndpoint } from './call-endpoint.ts'
import type { Tool } from './tool.ts'

const input = z.strictObject({ message: z.string().min(1).max(5000) })

export const submitFeedback: Tool<z.output<typeof input>> = {
  name: 'submit_feedback',
  description:
    'Report a problem or a wish about Atrium to its operators. Use it only if a person asks for it.',
  input,
  effect: 'transaction',
  // Operators are outside the organization.
  risk: 'send',
  summarize: ({ message }) => `Send feedback to the operators: ${message.slice(0, 500)}`,
  async run(call, { message }) {
    const { runId, idempotencyKey } = call
    const body = { message, ...(runId && { metadata: { runId } }), idempotencyKey }
    const { id, publicStatus } = await callEndpoint(call, feedback.submit, { body })
    return { id, status: publicStatus }
  },
}
