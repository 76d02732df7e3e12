import type { Skill } from '../../../api/skills.ts'

/** A skill as its form edits it: texts, and metadata as rows, so that a name can be typed. */
export interface SkillDraft {
  name: string
  description: string
  license: string
  compatibility: string
  allowedTools: string
  metadata: { name: string; text: string }[]
  instructions: string
}

export const draftOf = (skill: Skill): SkillDraft => ({
  name: skill.name,
  description: skill.description,
  license: skill.license ?? '',
  compatibility: skill.compatibility ?? '',
  allowedTools: skill.allowedTools ?? '',
  metadata: Object.entries(skill.metadata).map(([name, text]) => ({ name, text })),
  instructions: skill.instructions,
})

/** Empty texts become null. Rows without name and text are left out; of two rows with one name, the last one wins. */
export const changeOf = ({ license, compatibility, allowedTools, metadata, ...draft }: SkillDraft) => ({
  ...draft,
  license: license.trim() || null,
  compatibility: compatibility.trim() || null,
  allowedTools: allowedTools.trim() || null,
  metadata: Object.fromEntries(
    metadata.filter(({ name, text }) => name !== '' || text !== '').map(({ name, text }) => [name, text]),
  ),
})
