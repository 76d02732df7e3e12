import { z } from 'zod'
import { Model } from '../agents/agent-fields.ts'
import { endpoint, member } from '../endpoint.ts'

const Progress = z.object({
  passages: z.int().describe('Passages of the organization'),
  embedded: z.int().describe('How many of them have a vector, or can’t have one'),
})

export const embeddings = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/embeddings',
    summary: 'Get the embedder',
    description:
      'The model with which passages are found by meaning, and how far it is. Admins choose it in the organization’s settings.',
    access: member(),
    output: z.object({
      model: z.string().nullable().describe('`provider/model`; null if passages are found by words alone'),
      source: z
        .enum(['organization', 'server'])
        .nullable()
        .describe('`server`: the operator’s, used while the organization has not chosen one'),
      state: z
        .enum(['off', 'building', 'ready', 'waiting'])
        .describe(
          '`building`: passages are being embedded, and `serving` finds them until then. `waiting`: a problem delays this; it is tried again',
        ),
      problem: z.string().nullable(),
      serving: z.string().nullable().describe('Model that searches use now; null if they use words alone'),
      progress: Progress.nullable(),
    }),
    tool: 'read',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/embeddings/test',
    summary: 'Test an embedder',
    description:
      'Embeds a sentence, which the provider may bill. If it fails, returns 200 with the `problem`. Returns CONFLICT without `model` if there is no embedder, or if a budget is reached.',
    access: member({ role: 'admin' }),
    body: z.object({ model: Model.optional().describe('Defaults to the chosen one') }),
    output: z.object({
      ok: z.boolean(),
      problem: z.string().nullable(),
      dimensions: z.int().nullable().describe('Length of its vectors'),
      durationMs: z.int(),
    }),
    limit: { name: 'embeddings-test', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
}
