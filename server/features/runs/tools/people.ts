import { z } from 'zod'
import { feedback } from '../../../../contract/feedback.ts'
import { conflict } from '../../../errors.ts'
import { callEndpoint } from './call-endpoint.ts'
import type { RunTool } from './run-tool.ts'

const askInput = z.strictObject({
  question: z.string().min(1).max(4000),
  choices: z.array(z.string().min(1).max(200)).min(2).max(10).optional(),
})

export const askPerson: RunTool<z.output<typeof askInput>> = {
  name: 'ask_person',
  description:
    'Ask the people of this conversation and wait for the answer. Use it when you cannot go on without a decision or a fact that only a person has.',
  input: askInput,
  effect: 'read',
  risk: 'none',
  asks: true,
  summarize: ({ question, choices }) => (choices ? `${question} (${choices.join(' / ')})` : question),
  run: async () => {
    throw conflict('A person has to answer this question')
  },
}

const feedbackInput = z.strictObject({ message: z.string().min(1).max(5000) })

export const submitFeedback: RunTool<z.output<typeof feedbackInput>> = {
  name: 'submit_feedback',
  description:
    'Report a problem or a wish about Atrium to its operators. Use it only if a person asks for it.',
  input: feedbackInput,
  effect: 'transaction',
  // Operators are outside of the organization.
  risk: 'send',
  summarize: ({ message }) => `Send feedback to the operators: ${message.slice(0, 500)}`,
  async run(call, { message }) {
    const body = { message, metadata: { runId: call.run.id }, idempotencyKey: call.idempotencyKey }
    const { id, publicStatus } = await callEndpoint(call, feedback.submit, { body })
    return { id, status: publicStatus }
  },
}
