import type { AgentTool } from '../../../../contract/agents/agent-options.ts'
import { runAction, searchActions } from './actions/action-tools.ts'
import { actionsFor } from './actions/actions.ts'
import { editCanvas } from './canvas/edit-canvas.ts'
import { readCanvas } from './canvas/read-canvas.ts'
import { listEvents } from './events.ts'
import { listFiles } from './files/list-files.ts'
import { organizeFiles } from './files/organize-files.ts'
import { readFile } from './files/read-file.ts'
import { writeFile } from './files/write-file.ts'
import { type HistoryReader, readHistory } from './history.ts'
import { askPerson, submitFeedback } from './people.ts'
import { createProject, getProject, listProjects, updateProject } from './projects.ts'
import type { RunTool } from './run-tool.ts'
import { search } from './search.ts'
import { webFetch } from './web/web-fetch.ts'

/** The tools that every agent has. */
const ALWAYS = [askPerson, createProject, getProject, listEvents, listProjects, submitFeedback, updateProject]

/** The tools that the settings of an agent switch on. Those of memory, phone and other agents belong to their features. */
const BY_SETTING = {
  blocks: [readCanvas, editCanvas],
  files: [listFiles, readFile, writeFile, organizeFiles],
  web: [webFetch],
}

export interface ToolSources {
  history: HistoryReader
}

/** The tools of a run by name, in the order of their names: an unchanged order keeps the prompt caches of providers. */
export function allToolsFor(
  settings: Readonly<Record<AgentTool, boolean>>,
  { history }: ToolSources,
): ReadonlyMap<string, RunTool> {
  const chosen = (Object.keys(BY_SETTING) as (keyof typeof BY_SETTING)[]).filter((name) => settings[name])
  const actions = actionsFor(settings)
  const bySetting = [search(settings), searchActions(actions), runAction(actions), readHistory(history)]
  const tools = [
    ...ALWAYS,
    ...bySetting,
    ...chosen.flatMap((name): unknown[] => BY_SETTING[name]),
  ] as RunTool[]
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return new Map(sorted.map((tool) => [tool.name, tool]))
}
