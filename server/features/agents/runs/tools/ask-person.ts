import { z } from 'zod'
import { conflict } from '../../../../errors.ts'
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
