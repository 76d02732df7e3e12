import { dictionary } from '../../contract/dictionary.ts'
/** The tools that the voice of a phone call can use: they read one project. */
export const CALL_TOOLS: readonly string[] = ['get_project', 'read_canvas', 'list_files', 'read_file']

/** The setting of an agent that switches a tool on. */
const NEEDED: Readonly<Record<string, 'blocks' | 'files'>> = dictionary({
  read_canvas: 'blocks',
  list_files: 'files',
  read_file: 'files',
})

interface Settings {
  tools: Readonly<Record<'blocks' | 'files', boolean>>
  approvals: Readonly<Record<string, string>>
}

/**
 * The tools of a call that the agent has as well: its voice reads no more than its runs. A tool that needs an approval is
 * left out, because no person can approve it during a call.
 */
export const callToolsOf = ({ tools, approvals }: Settings): string[] =>
  CALL_TOOLS.filter((name) => {
    const needed = NEEDED[name]
    const rule = approvals[name] ?? 'allow'
    return rule === 'allow' && (needed === undefined || tools[needed])
  })
