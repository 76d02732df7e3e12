import { z } from 'zod'
import { SKILL_FILE } from '../../../../../contract/knowledge/skill-options.ts'
import { ApiError } from '../../../../errors.ts'
import { clip } from '../../../../tools/clip.ts'
import { readSkill as read } from '../../../knowledge/skills/skills.ts'
import type { RunTool } from '../state/run-tool.ts'

const TEXT_BYTES = 32_000

const input = z.strictObject({
  name: z.string().min(1).max(64).describe('Skill name'),
  path: z.string().min(1).max(255).optional().describe(`File in the skill; default: its ${SKILL_FILE}`),
  offset: z.int().min(0).default(0).describe('`nextOffset` from the previous part'),
})

export const readSkill: RunTool<z.output<typeof input>> = {
  name: 'read_skill',
  description:
    'Read a skill’s instructions before you do what its description names, or one of its files. Long texts come in parts.',
  input,
  effect: 'read',
  risk: 'none',
  async run({ sql, run }, { name, path, offset }) {
    const isMain = path === undefined || path === SKILL_FILE
    const found = await read(sql, run, { name, path: isMain ? null : path! })
    if (!found)
      throw new ApiError('NOT_FOUND', `This agent has no skill ${name}: the system prompt lists its skills`)
    const files = found.files.map((file) => file.path)
    if (found.text === null) {
      const reason = files.includes(path ?? '')
        ? 'is not text'
        : `does not exist. Files: ${files.join(', ') || 'none'}`
      throw new ApiError('NOT_FOUND', `path: ${path} ${reason}`)
    }
    const { text, next } = clip(found.text, TEXT_BYTES, offset)
    return {
      name,
      path: path ?? SKILL_FILE,
      text,
      ...(next !== null && { nextOffset: next }),
      ...(isMain && { files }),
    }
  },
}
