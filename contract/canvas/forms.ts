import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp } from '../fields.ts'
import { FormField } from './block-steps.ts'

export const Form = z.object({
  id: Id,
  projectId: Id,
  projectName: z.string(),
  runId: Id,
  blockId: Id,
  title: z.string().nullable(),
  content: z.string().nullable().describe('Markdown'),
  fields: z.array(FormField),
  state: z.enum(['open', 'answered', 'closed']).describe('`closed`: it expired, or its run ended'),
  answer: z.record(z.string(), z.unknown()).nullable(),
  answeredBy: z.object({ id: Id, name: z.string() }).nullable(),
  answeredAt: Timestamp.nullable(),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  canAnswer: z.boolean(),
})

const params = z.object({ id: Id })

/** Workflows wait for their answers. */
export const forms = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/forms',
    summary: 'List forms',
    description:
      'Forms that you may answer, newest first. With `runId`, all forms of that run, also answered and closed ones.',
    access: member(),
    query: z.object({ ...cursorQuery, runId: Id.optional() }),
    output: cursorPage(Form),
    tool: 'read',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/forms/:id',
    summary: 'Get a form',
    access: member(),
    params,
    output: Form,
    tool: 'read',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/v1/forms/:id/answer',
    summary: 'Answer a form',
    description:
      'The answer becomes the block’s output, and the workflow continues. Returns CONFLICT if the form is no longer open.',
    access: member({ edits: true }),
    params,
    body: z.object({ answer: z.record(z.string(), z.unknown()) }),
    output: Form,
  }),
}
