import { dictionary } from '../dictionary.ts'
import { t } from '../text.ts'

/**
 * `read_canvas` is `Read canvas`, `mcp_linear_find_issues` is `Find issues (linear)`. With the stored input of a
 * connector call, `github_create_issue` is `Create issue (github, ada)`.
 */
export function toolLabel(tool: string, input?: unknown): string {
  const [, server, name] = /^mcp_([a-z0-9-]+)_(.+)$/.exec(tool) ?? []
  if (server && name) return `${inWords(name)} (${server})`
  const { account } = Object(input) as { account?: unknown }
  const [, slug, action] = /^([a-z0-9-]+)_(.+)$/.exec(tool) ?? []
  return slug && action && typeof account === 'string'
    ? `${inWords(action)} (${slug}, ${account})`
    : (BUILT_IN[tool] ?? inWords(tool))
}

function inWords(name: string): string {
  const words = name.replaceAll(/[_./:-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Atrium's own tools, which the dashboard translates. */
const BUILT_IN = dictionary<string | undefined>({
  read_file: t`Read file`,
  write_file: t`Write file`,
  list_files: t`List files`,
  organize_files: t`Organize files`,
  read_canvas: t`Read canvas`,
  edit_canvas: t`Edit canvas`,
  search: t`Search`,
  search_knowledge: t`Search knowledge`,
  search_memory: t`Search memory`,
  save_memory: t`Save memory`,
  list_projects: t`List projects`,
  get_project: t`Get project`,
  create_project: t`Create project`,
  update_project: t`Update project`,
  list_events: t`List events`,
  submit_feedback: t`Submit feedback`,
  list_calls: t`List calls`,
  list_sms: t`List SMS`,
  send_sms: t`Send SMS`,
  make_call: t`Make call`,
  run_agent: t`Run agent`,
  run_code: t`Run program`,
  read_skill: t`Read skill`,
  read_history: t`Read history`,
  search_tools: t`Search tools`,
  search_actions: t`Search actions`,
  run_action: t`Run action`,
  web_search: t`Web search`,
  web_fetch: t`Web fetch`,
  make_payment: t`Make payment`,
  ask_person: t`Ask person`,
  end_call: t`End call`,
  transfer_call: t`Transfer call`,
  switch_language: t`Switch language`,
  send_digits: t`Send digits`,
})
