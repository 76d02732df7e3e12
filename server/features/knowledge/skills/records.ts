import type { z } from 'zod'
import type { Skill } from '../../../../contract/knowledge/skills.ts'

export interface SkillText {
  name: string
  description: string
  license: string | null
  compatibility: string | null
  metadata: Record<string, string>
  allowedTools: string | null
  instructions: string
}

export interface StoredFile {
  path: string
  size: number
  hash: string
  isText: boolean
}

export interface SkillContent extends SkillText {
  files: StoredFile[]
}

export interface SkillRow {
  id: string
  version: number
  content: SkillContent
  fileCount: number
  size: number
  agents: { id: string; name: string }[]
  createdAt: string
  updatedAt: string
}

export const present = (row: SkillRow): z.output<typeof Skill> => {
  const { content, agents } = row
  const { files, ...text } = content
  return {
    id: row.id,
    ...text,
    files: files.map(({ path, size, isText }) => ({ path, size, isText })),
    fileCount: row.fileCount,
    size: row.size,
    agents,
    agentCount: agents.length,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
