import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Base64, cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp, text } from '../fields.ts'
import { SKILL_CHANGES, SKILL_LIMITS, SKILL_NAME } from './skill-options.ts'
import { problemOfPath } from './skill-path.ts'

/** Step-up area: agents follow a skill's instructions. */
export const SKILL_AREA = 'Changing a skill'
/** All files in base64, plus the instructions. */
const BODY_BYTES_MAX = 13_631_488

const Path = z
  .string()
  .superRefine((path, ctx) => {
    const problem = problemOfPath(path)
    if (problem) ctx.addIssue(problem)
  })
  .meta({ examples: ['references/style.md'] })
const fileText = text(0, SKILL_LIMITS.fileBytes, { trim: false })

export const skillFields = {
  name: text(1, SKILL_LIMITS.name)
    .refine((name) => SKILL_NAME.test(name), 'must be lowercase letters, digits and single hyphens')
    .meta({ examples: ['release-notes'] }),
  description: text(1, SKILL_LIMITS.description).describe(
    'What the skill does and when to use it; agents use it to decide',
  ),
  license: text(1, SKILL_LIMITS.license).nullable(),
  compatibility: text(1, SKILL_LIMITS.compatibility).nullable(),
  metadata: z
    .record(text(1, SKILL_LIMITS.metadataText), text(0, SKILL_LIMITS.metadataText))
    .refine(
      (entries) => Object.keys(entries).length <= SKILL_LIMITS.metadata,
      `must have at most ${SKILL_LIMITS.metadata} entries`,
    ),
  allowedTools: text(1, SKILL_LIMITS.allowedTools)
    .nullable()
    .describe('Value of `allowed-tools`, which Atrium only stores'),
}
const instructions = text(0, SKILL_LIMITS.instructions, { trim: false }).describe('Body of `SKILL.md`')

const SkillFile = z.object({ path: z.string(), size: z.int(), isText: z.boolean() })
const Summary = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  fileCount: z.int(),
  size: z.int().describe('Size of all files in bytes'),
  agentCount: z.int().describe('Agents that have it'),
  version: z.int().describe('Increases with every change'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
const Content = z.object({
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  allowedTools: z.string().nullable(),
  instructions: z.string(),
  files: z.array(SkillFile),
})
export const Skill = Summary.extend(Content.shape).extend({
  agents: z.array(z.object({ id: Id, name: z.string() })).describe('Agents that have it'),
})

const Version = z.object({
  version: z.int(),
  change: z.enum(SKILL_CHANGES),
  restoredFrom: z.int().nullable(),
  by: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
  name: z.string(),
  description: z.string(),
  ...Content.shape,
})

const content = { text: fileText.optional(), base64: Base64.optional() }
const NewFile = z
  .strictObject({ path: Path, ...content })
  .refine((file) => (file.text === undefined) !== (file.base64 === undefined), 'must have text or base64')
const FileChange = z
  .strictObject({
    path: Path.describe('File path'),
    ...content,
    renameTo: Path.optional(),
    remove: z.literal(true).optional(),
  })
  .refine(
    ({ path: _path, ...change }) => Object.values(change).filter((value) => value !== undefined).length === 1,
    'must have one of text, base64, renameTo and remove',
  )

const archive = z.object({
  archive: Base64.describe('A zip file with one skill, in base64').meta({
    examples: ['UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='],
  }),
})
const params = z.object({ id: Id })
const writes = steppedUp(SKILL_AREA, { edits: true })
const limit = { name: 'skills', by: 'caller', capacity: 120, perSeconds: 60 } as const

export const skills = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/skills',
    summary: 'List skills',
    description: 'By name. `q` matches part of the name or description, ignoring case.',
    access: member(),
    query: z.object({ ...cursorQuery, q: text(1, 200).optional() }),
    output: cursorPage(Summary),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/skills',
    summary: 'Create a skill',
    description: 'Returns CONFLICT if another skill has the name.',
    access: writes,
    body: z.object({
      name: skillFields.name,
      description: skillFields.description,
      license: skillFields.license.default(null),
      compatibility: skillFields.compatibility.default(null),
      metadata: skillFields.metadata.default({}),
      allowedTools: skillFields.allowedTools.default(null),
      instructions: instructions.default(''),
      files: z
        .array(NewFile)
        .max(SKILL_LIMITS.files, `must have at most ${SKILL_LIMITS.files} files`)
        .default([]),
    }),
    bodyBytesMax: BODY_BYTES_MAX,
    output: Skill,
    status: 201,
    idempotent: true,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/skills/:id',
    summary: 'Get a skill',
    access: member(),
    params,
    output: Skill,
    versioned: true,
    tool: 'read',
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/v1/skills/:id/file',
    summary: 'Read a skill file',
    access: member(),
    params,
    query: z.object({ path: z.string().min(1).max(SKILL_LIMITS.path) }),
    output: SkillFile.extend({
      text: z.string().nullable().describe('Null if the file is not text'),
      base64: z.string().nullable().describe('Null if the file is text'),
    }),
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/skills/:id',
    summary: 'Change a skill',
    description:
      'Omitted fields stay unchanged. `files` changes files in order: new text or content, a new path, or removal. Returns CONFLICT if another skill has the name.',
    access: writes,
    params,
    body: z
      .object({
        ...skillFields,
        instructions,
        files: z.array(FileChange).max(SKILL_LIMITS.files, `must have at most ${SKILL_LIMITS.files} files`),
      })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ description: 'Writes release notes' }] }),
    bodyBytesMax: BODY_BYTES_MAX,
    output: Skill,
    versioned: true,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/skills/:id',
    summary: 'Delete a skill',
    description:
      'Deletes it permanently, with its versions. Agents that have it continue without it, and show a warning.',
    access: writes,
    params,
    output: z.object({ id: Id, deleted: z.literal(true) }),
    versioned: true,
    limit,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/v1/skills/:id/versions',
    summary: 'List skill versions',
    description: `Newest first; the last ${SKILL_LIMITS.versions} are available.`,
    access: member(),
    params,
    query: z.object({ ...cursorQuery, limit: queryInteger(1, 20, 10) }),
    output: cursorPage(Version),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/skills/:id/versions/:version/restore',
    summary: 'Restore a skill version',
    description: 'Returns CONFLICT if another skill has its name.',
    access: writes,
    params: params.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    output: Skill,
    versioned: true,
    limit,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/skills/preview',
    summary: 'Show an archive’s contents',
    description: 'Reads and checks a zip file like `import`, but stores nothing.',
    access: member(),
    body: archive,
    bodyBytesMax: BODY_BYTES_MAX,
    output: z.object({
      name: z.string(),
      description: z.string(),
      ...Content.shape,
      files: z.array(
        SkillFile.extend({ text: z.string().nullable().describe('Its first 10,000 characters') }),
      ),
      replaces: z
        .object({ id: Id, version: z.int() })
        .nullable()
        .describe('Skill with this name, which `import` with `replace=true` replaces'),
    }),
    limit,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/v1/skills/import',
    summary: 'Import a skill',
    description:
      'A zip file with `SKILL.md` at its root or in one folder named after the skill. Returns CONFLICT if a skill has the name, unless `replace=true` gives that skill a new version.',
    access: writes,
    query: z.object({ replace: queryFlag() }),
    body: archive,
    bodyBytesMax: BODY_BYTES_MAX,
    output: Skill,
    status: 201,
    idempotent: true,
    limit,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/skills/:id/export',
    summary: 'Export a skill',
    description: 'A zip file with the skill’s folder.',
    access: member(),
    params,
    output: z.null(),
    bytes: 'archive',
    limit,
  }),
}
