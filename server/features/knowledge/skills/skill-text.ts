import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { text } from '../../../../contract/fields.ts'
import { SKILL_FILE, SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { skillFields } from '../../../../contract/knowledge/skills.ts'
import type { SkillText } from './records.ts'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const FRONT_MATTER_MAX = 65_536

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const FrontMatter = z.object({
  name: skillFields.name,
  description: skillFields.description,
  license: skillFields.license.optional(),
  compatibility: skillFields.compatibility.optional(),
  metadata: z.record(z.string(), Scalar).pipe(skillFields.metadata).nullish(),
  'allowed-tools': z
    .union([z.string(), z.array(z.string()).transform((names) => names.join(' '))])
    .pipe(skillFields.allowedTools.unwrap())
    .nullish(),
})
const Instructions = text(0, SKILL_LIMITS.instructions, { trim: false })

export function parseSkillText(source: string, refuse: (message: string) => never): SkillText {
  const match = FRONT_MATTER.exec(source)
  if (!match) refuse(`must have a ${SKILL_FILE} that begins with front matter between two --- lines`)
  const [whole, yaml = ''] = match!
  const fields = FrontMatter.safeParse(parseYaml(yaml, refuse))
  if (!fields.success) {
    const [issue] = fields.error.issues
    refuse(`has a ${SKILL_FILE} in which ${issue!.path.join('.') || 'the front matter'} ${issue!.message}`)
  }
  const body = Instructions.safeParse(source.slice(whole.length).replace(/^\s*\n/, ''))
  if (!body.success) refuse(`has a ${SKILL_FILE} whose body ${body.error.issues[0]!.message}`)
  const { license = null, compatibility = null, metadata, ...rest } = fields.data!
  return {
    name: rest.name,
    description: rest.description,
    license,
    compatibility,
    metadata: metadata ?? {},
    allowedTools: rest['allowed-tools'] ?? null,
    instructions: body.data!,
  }
}

/** Rejects aliases, as a few can expand to gigabytes. */
function parseYaml(yaml: string, refuse: (message: string) => never): unknown {
  if (yaml.length > FRONT_MATTER_MAX) refuse(`has front matter longer than ${FRONT_MATTER_MAX} characters`)
  try {
    return parse(yaml, { schema: 'core', maxAliasCount: 0, uniqueKeys: true, logLevel: 'silent' })
  } catch {
    return refuse(`has a ${SKILL_FILE} whose front matter is not YAML, or uses aliases`)
  }
}

export function renderSkillText(skill: SkillText): string {
  const { name, description, license, compatibility, metadata, allowedTools, instructions } = skill
  const fields = {
    name,
    description,
    ...(license !== null && { license }),
    ...(compatibility !== null && { compatibility }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(allowedTools !== null && { 'allowed-tools': allowedTools }),
  }
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${instructions.trimEnd()}\n`
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function decodeText(content: Buffer): string | null {
  if (content.includes(0)) return null
  try {
    return decoder.decode(content)
  } catch {
    return null
  }
}
