import { z } from 'zod'
import { BLOCK_TYPES } from '../canvas/blocks.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { PREVIEW_FRAME, PREVIEW_SHAPES_MAX, PREVIEWS_MAX } from './list-options.ts'

/** Type and position only, no text. */
export const PreviewShape = z.object({
  type: z.enum(BLOCK_TYPES),
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  color: z.string().nullable(),
})

const Person = z.object({ id: Id, name: z.string() })

const Ids = z
  .string()
  .max(PREVIEWS_MAX * 37)
  .transform((list) => list.split(',').map((id) => id.trim()))
  .pipe(
    z
      .array(z.uuid('must be a comma-separated list of project ids').toLowerCase())
      .max(PREVIEWS_MAX, `must have at most ${PREVIEWS_MAX} ids`),
  )
  .describe(`Comma-separated list of at most ${PREVIEWS_MAX} project ids`)
  .meta({ examples: ['0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'] })

export const projectPreviews = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/project-previews',
    summary: 'Get project previews',
    description: `Small pictures of the canvases and the members who work on them, for several projects. \`shapes\` are up to ${PREVIEW_SHAPES_MAX} of the largest blocks in a frame of ${PREVIEW_FRAME.width} × ${PREVIEW_FRAME.height}, in painting order; they have no text. A preview lags behind the canvas by up to 30 seconds. Projects you cannot see are omitted.`,
    access: member(),
    query: z.object({ ids: Ids }),
    output: z.object({
      items: z.array(
        z.object({
          projectId: Id,
          owner: Person.describe('The creator'),
          people: z.array(Person).describe('Others who changed the canvas, most recent first; at most 5'),
          shapes: z.array(PreviewShape),
        }),
      ),
    }),
    limit: { name: 'project-previews', by: 'caller', capacity: 120, perSeconds: 60 },
  }),
}
