import { dictionary } from '../../contract/dictionary.ts'
/** For a phone call's voice. These read one project. */
export const CALL_TOOLS: readonly string[] = ['get_project', 'read_canvas', 'list_files', 'read_file']

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
 * The voice reads no more than the agent's runs. Omits tools that need approval, which no member can give during a
 * call.
 */
export const allowedCallTools = ({ tools, approvals }: Settings): string[] =>
  CALL_TOOLS.filter((name) => {
    const needed = NEEDED[name]
    const rule = approvals[name] ?? 'allow'
    return rule === 'allow' && (needed === undefined || tools[needed])
  })
