import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { ErrorBody } from '../errors.ts'
import { Id } from '../fields.ts'
import { BULK_MAX } from './list-options.ts'

const BULK_ACTIONS = [
  'activate',
  'complete',
  'archive',
  'delete',
  'undelete',
  'favourite',
  'unfavourite',
] as const

export const projectBulk = {
  apply: endpoint({
    method: 'POST',
    path: '/api/v1/projects/bulk',
    summary: 'Change several projects',
    description:
      'Applies the action to each project, in the order given by `ids` and with the same checks as the single call. A project that fails does not stop the others: `items` has the result for each. `delete` moves projects to the trash.',
    access: member(),
    body: z.object({
      action: z.enum(BULK_ACTIONS),
      ids: z
        .array(Id)
        .min(1, 'must have at least one id')
        .max(BULK_MAX, `must have at most ${BULK_MAX} ids`)
        .transform((ids) => [...new Set(ids)]),
    }),
    output: z.object({
      items: z.array(
        z.object({
          id: Id,
          done: z.boolean(),
          error: z
            .object({ code: ErrorBody.shape.error.shape.code, message: z.string() })
            .nullable()
            .describe('Null if it is done'),
        }),
      ),
      done: z.int().describe('Number of projects that are done'),
      failed: z.int(),
    }),
    limit: { name: 'projects-bulk', by: 'caller', capacity: 20, perSeconds: 60 },
  }),
}
