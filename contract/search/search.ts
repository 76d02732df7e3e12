import { z } from 'zod'
import { browser, endpoint, member } from '../endpoint.ts'
import { Id, queryInteger, Timestamp, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { SEARCH_LIMITS, SEARCH_TYPES, type SearchType } from './search-options.ts'

const Type = z.enum(SEARCH_TYPES)

const Types = z
  .string()
  .max(300)
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine(
    (types) => types.every((type) => (SEARCH_TYPES as readonly string[]).includes(type)),
    `must be a comma-separated list of ${SEARCH_TYPES.join(', ')}`,
  )
  .transform((types) => [...new Set(types)] as SearchType[])
  .optional()
  .describe(`Comma-separated list of ${SEARCH_TYPES.join(', ')}. Defaults to all`)
  .meta({ examples: ['file,message'] })

export const SearchItem = z.object({
  type: Type,
  id: Id,
  title: z.string(),
  snippet: z.string().nullable().describe('Text around the match; plain text, never HTML'),
  url: z.string().describe('Dashboard page that shows it'),
  projectId: Id.nullable(),
  updatedAt: Timestamp,
})

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Search',
    description:
      'Searches names and contents in everything you can see, best match first: words, "exact phrases", `or` and `-without`; the last word can be incomplete, and titles are found despite typos. A record, event or delivery id finds that record. Without `q`, returns the records you opened or changed last. Uploaded files are searchable a few seconds after the upload: the first 100,000 characters in files up to 25 MB. Keys without `files:read` find no files.',
    access: member(),
    query: z.object({
      q: text(0, SEARCH_LIMITS.query).optional(),
      types: Types,
      projectId: ProjectRef.optional().describe('Finds only records in this project'),
      limit: queryInteger(1, SEARCH_LIMITS.items, 20),
    }),
    output: z.object({ items: z.array(SearchItem) }),
    limit: { name: 'search', by: 'caller', capacity: 240, perSeconds: 60 },
    standby: true,
  }),
  opened: endpoint({
    method: 'POST',
    path: '/api/v1/search/opened',
    summary: 'Record an opened page',
    description:
      'A search without `q`, and `GET /projects?sort=opened` for a project, list it first. The last 100 per type are stored.',
    access: browser('Recording opened pages'),
    body: z.object({ type: Type, id: Id }),
    output: z.object({ recorded: z.literal(true) }),
    limit: { name: 'search-opened', by: 'caller', capacity: 120, perSeconds: 60 },
  }),
}
