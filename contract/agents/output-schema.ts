import type { z } from 'zod'
import { jsonObject } from '../fields.ts'
import { findSchemaProblem, OUTPUT_LIMITS, type OutputSchema as Schema } from './output-rules.ts'

/** JSON levels: a level of the schema takes two or three. */
const JSON_DEPTH_MAX = 3 * OUTPUT_LIMITS.depth + 4

/** Refused with the path of the part that is wrong. */
export const OutputSchema: z.ZodType<Schema, Schema> = jsonObject(OUTPUT_LIMITS.schemaBytes, JSON_DEPTH_MAX)
  .superRefine((schema, ctx) => {
    const problem = findSchemaProblem(schema)
    if (problem) ctx.addIssue({ code: 'custom', path: problem.path, message: problem.rule })
  })
  .describe(
    `The result’s format in a part of JSON Schema 2020-12: an object whose properties have a \`type\`, \`enum\`, \`const\`, \`anyOf\` or local \`$ref\`, with at most ${OUTPUT_LIMITS.nodes} parts nested ${OUTPUT_LIMITS.depth} levels deep. Objects are closed. The model writes required properties first, in the order of \`required\``,
  )
  .meta({
    examples: [
      {
        type: 'object',
        properties: { score: { type: 'number', description: 'From 0 to 1' }, reason: { type: 'string' } },
        required: ['reason', 'score'],
      },
    ],
  })
