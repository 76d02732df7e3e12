import { SKILL_FILE, SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { problemOfPath } from '../../../../contract/knowledge/skill-path.ts'
import { type ArchiveEntry, badArchive, readArchive } from './archive.ts'
import type { SkillText } from './records.ts'
import { decodeText, parseSkillText } from './skill-text.ts'

export interface SkillPackage extends SkillText {
  files: ArchiveEntry[]
}

/** The skill in an archive: `SKILL.md` at its root, or in its one folder, which has the name of the skill. */
export function readPackage(zip: Buffer): SkillPackage {
  const entries = readArchive(zip).filter(({ path }) => !isClutter(path))
  const roots = entries.filter(({ path }) => /^([^/]+\/)?SKILL\.md$/.test(path))
  const root = roots.toSorted((a, b) => a.path.length - b.path.length)[0]
  if (!root) throw badArchive(`must contain ${SKILL_FILE}, at its root or in one folder`)
  const folder = root.path.slice(0, -SKILL_FILE.length)
  const source = decodeText(root.content) ?? refuse(`must have a ${SKILL_FILE} in UTF-8`)
  const text = parseSkillText(source, refuse)
  if (folder !== '' && folder !== `${text.name}/`)
    throw badArchive(`must have a folder with the name of the skill: ${JSON.stringify(text.name)}`)
  const files = entries.filter((entry) => entry !== root).map((entry) => relativeTo(folder, entry))
  requireDistinct(files)
  return { ...text, files }
}

function refuse(message: string): never {
  throw badArchive(message)
}

/** Entries that macOS adds to archives. */
const isClutter = (path: string) => path.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(path)

function relativeTo(folder: string, { path, content }: ArchiveEntry): ArchiveEntry {
  if (!path.startsWith(folder))
    throw badArchive(`must have all files in one folder: ${JSON.stringify(path)} is outside of it`)
  const inside = path.slice(folder.length)
  const problem = problemOfPath(inside)
  if (problem) throw badArchive(`has a path that ${problem}: ${JSON.stringify(path.slice(0, 100))}`)
  return { path: inside, content }
}

/** Two names that differ in case are one file on some systems. */
function requireDistinct(files: ArchiveEntry[]): void {
  if (files.length > SKILL_LIMITS.files) throw badArchive(`must have at most ${SKILL_LIMITS.files} files`)
  const seen = new Set<string>()
  for (const { path } of files) {
    const folded = path.toLowerCase()
    if (seen.has(folded)) throw badArchive(`must not contain a file twice: ${JSON.stringify(path)}`)
    seen.add(folded)
  }
}
