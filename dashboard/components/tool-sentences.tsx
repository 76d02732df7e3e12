import {
  ArrowRightLeft,
  BookMarked,
  BookOpen,
  CalendarSearch,
  CreditCard,
  FilePen,
  Files,
  FileText,
  FolderKanban,
  FolderSearch,
  Globe,
  History,
  Languages,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquareText,
  Phone,
  PhoneOff,
  Plug,
  Search,
  SendHorizontal,
  Shapes,
  SquareTerminal,
  StickyNote,
  TextSearch,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { toolLabel } from '../../contract/agents/tool-label.ts'
import { counted } from '../../contract/counted.ts'
import { t } from '../../contract/text.ts'
import { formatMoney } from './amounts.ts'
import { showHidden } from './hidden-characters.ts'
import { callTarget } from './tool-labels.ts'

interface ToolCall {
  tool: string
  input: unknown
  /** Of a program. */
  callCount?: number | undefined
}

interface ToolSentence {
  icon: LucideIcon
  /** `Read 14 files` */
  done: ReactNode
  /** `read 14 files`: follows `Wants to`, or says what goes on. */
  task: ReactNode
}

/** Calls of one tool become one sentence. */
export function describeCalls(calls: readonly [ToolCall, ...ToolCall[]]): ToolSentence {
  const [{ tool, input }] = calls
  if (tool === 'run_code' && typeof Object(input).account !== 'string') return describeProgram(calls)
  // A custom connector's tool can have the same name, but only connector calls have an account.
  const isBuiltIn = Object.hasOwn(SENTENCES, tool) && typeof Object(input).account !== 'string'
  const describe = isBuiltIn ? SENTENCES[tool] : undefined
  const fields = calls.map((call) => Object(call.input) as Fields)
  return describe?.(fields[0]!, fields) ?? describeUnknown(tool, input, calls.length)
}

type Fields = Readonly<Record<string, unknown>>
type Describe = (input: Fields, all: readonly Fields[]) => ToolSentence

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="font-medium text-neutral-12">{children}</b>
)

/** Text from a call's input. */
const Data = ({ children }: { children: ReactNode }) => (
  <b className="font-medium text-neutral-12">
    <bdi>{children}</bdi>
  </b>
)

const DATA_CHARACTERS_MAX = 60

/** One line; empty unless it's text. */
function words(value: unknown): string {
  if (typeof value !== 'string') return ''
  const line = showHidden(value.replaceAll(/\s+/g, ' ').trim())
  return line.length > DATA_CHARACTERS_MAX ? `${line.slice(0, DATA_CHARACTERS_MAX).toWellFormed()}…` : line
}

const fileName = (value: unknown) => {
  const path = words(value)
  return UUID.test(path) ? t`a file` : (path.split('/').filter(Boolean).at(-1) ?? path)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

const listIn = (input: Fields, name: string): unknown[] => {
  const list = input[name]
  return Array.isArray(list) ? list : []
}

const total = (all: readonly Fields[], ...names: string[]) =>
  all.reduce((sum, input) => sum + names.reduce((part, name) => part + listIn(input, name).length, 0), 0)

function describeProgram(calls: readonly ToolCall[]): ToolSentence {
  const made = calls.reduce((sum, { callCount = 0 }) => sum + callCount, 0)
  const detail = made > 0 && <>: {counted(made, 'call', 'calls')}</>
  return {
    icon: SquareTerminal,
    done:
      calls.length === 1 ? (
        <>
          Ran <Strong>a program</Strong>
          {detail}
        </>
      ) : (
        <>
          Ran <Strong>{counted(calls.length, 'program', 'programs')}</Strong>
          {detail}
        </>
      ),
    task: (
      <>
        run <Strong>a program</Strong>
        {detail}
      </>
    ),
  }
}

function describeUnknown(tool: string, input: unknown, count: number): ToolSentence {
  const [, server, name] = /^mcp_([a-z0-9-]+)_(.+)$/.exec(tool) ?? []
  const isConnector = typeof Object(input).account === 'string'
  const [, slug, action] = (isConnector && /^([a-z0-9-]+)_(.+)$/.exec(tool)) || []
  const label = toolLabel(name ?? action ?? tool)
  const source = server ?? slug
  const target = count === 1 ? callTarget(input) : ''
  const detail = count > 1 ? ` × ${count}` : target && `: ${target}`
  if (source !== undefined)
    return {
      icon: Plug,
      done: (
        <>
          Used <Data>{label}</Data> in <bdi>{source}</bdi>
          {detail && <bdi>{detail}</bdi>}
        </>
      ),
      task: (
        <>
          use <Data>{label}</Data> in <bdi>{source}</bdi>
          {detail && <bdi>{detail}</bdi>}
        </>
      ),
    }
  return {
    icon: Wrench,
    done: (
      <>
        Used <Data>{label}</Data>
        {detail && <bdi>{detail}</bdi>}
      </>
    ),
    task: (
      <>
        use <Data>{label}</Data>
        {detail && <bdi>{detail}</bdi>}
      </>
    ),
  }
}

/** Notes are named as such, everything else is a block. */
function blocksIn(all: readonly Fields[]): string {
  const blocks = all.flatMap((input) => listIn(input, 'create'))
  const areNotes = blocks.every((block) => Object(block).type === 'note')
  return areNotes ? counted(blocks.length, 'note', 'notes') : counted(blocks.length, 'block', 'blocks')
}

const EDITS = ['create', 'update', 'move', 'connect', 'delete'] as const

const describeEdit: Describe = (_, all) => {
  const kinds = EDITS.filter((kind) => total(all, kind) > 0)
  const [kind] = kinds
  const count = total(all, ...EDITS)
  if (kinds.length === 2 && kinds[0] === 'create' && kinds[1] === 'connect') return added(all)
  if (kinds.length !== 1)
    return {
      icon: Shapes,
      done: (
        <>
          Made <Strong>{counted(count, 'change', 'changes')}</Strong> to the canvas
        </>
      ),
      task: (
        <>
          make <Strong>{counted(count, 'change', 'changes')}</Strong> to the canvas
        </>
      ),
    }
  if (kind === 'create') return added(all)
  const blocks = <Strong>{counted(count, 'block', 'blocks')}</Strong>
  if (kind === 'delete')
    return {
      icon: Shapes,
      done: <>Deleted {blocks} from the canvas</>,
      task: <>delete {blocks} from the canvas</>,
    }
  if (kind === 'connect') {
    const lines = <Strong>{counted(count, 'connection', 'connections')}</Strong>
    return {
      icon: Shapes,
      done: <>Added {lines} to the canvas</>,
      task: <>add {lines} to the canvas</>,
    }
  }
  if (kind === 'move')
    return {
      icon: Shapes,
      done: <>Moved {blocks} on the canvas</>,
      task: <>move {blocks} on the canvas</>,
    }
  return {
    icon: Shapes,
    done: <>Changed {blocks} on the canvas</>,
    task: <>change {blocks} on the canvas</>,
  }
}

const added = (all: readonly Fields[]): ToolSentence => ({
  icon: StickyNote,
  done: (
    <>
      Added <Strong>{blocksIn(all)}</Strong> to the canvas
    </>
  ),
  task: (
    <>
      add <Strong>{blocksIn(all)}</Strong> to the canvas
    </>
  ),
})

const describeOrganize: Describe = (_, all) => {
  const trashed = total(all, 'trash')
  const others = total(all, 'createFolders', 'move', 'rename')
  // Also of an input that the tool refuses.
  if (trashed + others === 0) return { icon: Files, done: <>Organized files</>, task: <>organize files</> }
  if (trashed > 0 && others === 0) {
    const files = <Strong>{counted(trashed, 'file', 'files')}</Strong>
    return { icon: Files, done: <>Moved {files} to the trash</>, task: <>move {files} to the trash</> }
  }
  if (total(all, 'move', 'rename') + trashed === 0) {
    const folders = <Strong>{counted(others, 'folder', 'folders')}</Strong>
    return { icon: Files, done: <>Created {folders}</>, task: <>create {folders}</> }
  }
  const files = <Strong>{counted(trashed + others, 'file', 'files')}</Strong>
  return { icon: Files, done: <>Organized {files}</>, task: <>organize {files}</> }
}

/** The end of a long host, which names its owner. */
const hostIn = (value: unknown) => {
  const host = typeof value === 'string' && URL.canParse(value) ? new URL(value).host : ''
  return host.length > DATA_CHARACTERS_MAX ? `…${host.slice(-DATA_CHARACTERS_MAX)}` : host || words(value)
}

const amountIn = ({ amount, currency }: Fields) => {
  const isMoney =
    typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount) && /^[a-z]{3}$/i.test(String(currency))
  return isMoney ? formatMoney(amount, String(currency)) : words(amount)
}

const SENTENCES: Record<string, Describe | undefined> = {
  read_file: ({ file }, all) => {
    const files =
      all.length === 1 ? (
        <Data>{fileName(file)}</Data>
      ) : (
        <Strong>{counted(all.length, 'file', 'files')}</Strong>
      )
    return { icon: FileText, done: <>Read {files}</>, task: <>read {files}</> }
  },
  write_file: ({ name }, all) => {
    const files =
      all.length === 1 ? <Data>{words(name)}</Data> : <Strong>{counted(all.length, 'file', 'files')}</Strong>
    return { icon: FilePen, done: <>Wrote {files}</>, task: <>write {files}</> }
  },
  list_files: ({ query }) =>
    words(query)
      ? {
          icon: FolderSearch,
          done: (
            <>
              Searched the files for <Data>{words(query)}</Data>
            </>
          ),
          task: (
            <>
              search the files for <Data>{words(query)}</Data>
            </>
          ),
        }
      : { icon: FolderSearch, done: <>Looked through the files</>, task: <>look through the files</> },
  organize_files: describeOrganize,
  read_canvas: ({ query }) =>
    words(query)
      ? {
          icon: Shapes,
          done: (
            <>
              Searched the canvas for <Data>{words(query)}</Data>
            </>
          ),
          task: (
            <>
              search the canvas for <Data>{words(query)}</Data>
            </>
          ),
        }
      : { icon: Shapes, done: <>Read the canvas</>, task: <>read the canvas</> },
  edit_canvas: describeEdit,
  search: ({ query }, all) => ({
    icon: Search,
    done:
      all.length > 1 ? (
        <>Searched the workspace {all.length} times</>
      ) : (
        <>
          Searched the workspace for <Data>{words(query)}</Data>
        </>
      ),
    task: (
      <>
        search the workspace for <Data>{words(query)}</Data>
      </>
    ),
  }),
  search_knowledge: ({ queries }) => {
    const [query] = Array.isArray(queries) ? queries : []
    return {
      icon: TextSearch,
      done: (
        <>
          Searched knowledge for <Data>{words(query)}</Data>
        </>
      ),
      task: (
        <>
          search knowledge for <Data>{words(query)}</Data>
        </>
      ),
    }
  },
  search_memory: ({ query }) => ({
    icon: BookMarked,
    done: (
      <>
        Searched memory for <Data>{words(query)}</Data>
      </>
    ),
    task: (
      <>
        search memory for <Data>{words(query)}</Data>
      </>
    ),
  }),
  save_memory: ({ key }, all) => {
    const entries =
      all.length === 1 ? (
        <Data>{words(key)}</Data>
      ) : (
        <Strong>{counted(all.length, 'entry', 'entries')}</Strong>
      )
    return { icon: BookMarked, done: <>Saved {entries} to memory</>, task: <>save {entries} to memory</> }
  },
  list_projects: () => ({
    icon: FolderKanban,
    done: <>Looked through the projects</>,
    task: <>look through the projects</>,
  }),
  get_project: () => ({
    icon: FolderKanban,
    done: <>Read the project’s details</>,
    task: <>read the project’s details</>,
  }),
  create_project: ({ name }) => ({
    icon: FolderKanban,
    done: (
      <>
        Created the project <Data>{words(name)}</Data>
      </>
    ),
    task: (
      <>
        create the project <Data>{words(name)}</Data>
      </>
    ),
  }),
  update_project: ({ project: _project, name, ...others }) =>
    words(name) && Object.keys(others).length === 0
      ? {
          icon: FolderKanban,
          done: (
            <>
              Renamed the project to <Data>{words(name)}</Data>
            </>
          ),
          task: (
            <>
              rename the project to <Data>{words(name)}</Data>
            </>
          ),
        }
      : {
          icon: FolderKanban,
          done: <>Changed the project’s details</>,
          task: <>change the project’s details</>,
        },
  list_events: () => ({
    icon: CalendarSearch,
    done: <>Looked through the events</>,
    task: <>look through the events</>,
  }),
  submit_feedback: () => ({
    icon: SendHorizontal,
    done: <>Sent feedback to the operators</>,
    task: <>send feedback to the operators</>,
  }),
  list_calls: () => ({
    icon: Phone,
    done: <>Looked through the calls</>,
    task: <>look through the calls</>,
  }),
  list_sms: () => ({
    icon: MessageSquareText,
    done: <>Looked through the text messages</>,
    task: <>look through the text messages</>,
  }),
  send_sms: ({ to }) => ({
    icon: MessageSquareText,
    done: (
      <>
        Sent a text message to <Data>{words(to)}</Data>
      </>
    ),
    task: (
      <>
        send a text message to <Data>{words(to)}</Data>
      </>
    ),
  }),
  make_call: ({ to }) => ({
    icon: Phone,
    done: (
      <>
        Called <Data>{words(to)}</Data>
      </>
    ),
    task: (
      <>
        call <Data>{words(to)}</Data>
      </>
    ),
  }),
  run_agent: ({ agent }, all) => {
    const agents =
      all.length === 1 && !UUID.test(words(agent)) ? (
        <Data>{words(agent)}</Data>
      ) : (
        <Strong>{counted(all.length, 'agent', 'agents')}</Strong>
      )
    return { icon: ArrowRightLeft, done: <>Got an answer from {agents}</>, task: <>ask {agents}</> }
  },
  read_skill: ({ name }) => ({
    icon: BookOpen,
    done: (
      <>
        Used the skill <Data>{words(name)}</Data>
      </>
    ),
    task: (
      <>
        use the skill <Data>{words(name)}</Data>
      </>
    ),
  }),
  read_history: () => ({
    icon: History,
    done: <>Read earlier messages</>,
    task: <>read earlier messages</>,
  }),
  search_tools: ({ query }) => ({
    icon: Search,
    done: (
      <>
        Looked for tools to <Data>{words(query)}</Data>
      </>
    ),
    task: (
      <>
        look for tools to <Data>{words(query)}</Data>
      </>
    ),
  }),
  search_actions: ({ words: query }) => ({
    icon: Search,
    done: (
      <>
        Looked for actions to <Data>{words(query)}</Data>
      </>
    ),
    task: (
      <>
        look for actions to <Data>{words(query)}</Data>
      </>
    ),
  }),
  run_action: ({ action }, all) => {
    const actions =
      all.length === 1 ? (
        <Data>{words(action)}</Data>
      ) : (
        <Strong>{counted(all.length, 'action', 'actions')}</Strong>
      )
    return { icon: ListChecks, done: <>Ran {actions}</>, task: <>run {actions}</> }
  },
  web_search: ({ query }, all) => ({
    icon: Globe,
    done:
      all.length > 1 ? (
        <>Searched the web {all.length} times</>
      ) : (
        <>
          Searched the web for <Data>{words(query)}</Data>
        </>
      ),
    task: (
      <>
        search the web for <Data>{words(query)}</Data>
      </>
    ),
  }),
  web_fetch: ({ url }, all) => {
    const pages =
      all.length === 1 ? (
        <Data>{hostIn(url)}</Data>
      ) : (
        <Strong>{counted(all.length, 'web page', 'web pages')}</Strong>
      )
    return { icon: Globe, done: <>Read {pages}</>, task: <>read {pages}</> }
  },
  make_payment: (input, all) => {
    const payee = words(Object(input.payee).name)
    if (all.length > 1) {
      const payments = <Strong>{counted(all.length, 'payment', 'payments')}</Strong>
      return { icon: CreditCard, done: <>Requested {payments}</>, task: <>make {payments}</> }
    }
    const amount = <Strong>{amountIn(input)}</Strong>
    if (payee === '') return { icon: CreditCard, done: <>Paid {amount}</>, task: <>pay {amount}</> }
    return {
      icon: CreditCard,
      done: (
        <>
          Paid {amount} to <Data>{payee}</Data>
        </>
      ),
      task: (
        <>
          pay {amount} to <Data>{payee}</Data>
        </>
      ),
    }
  },
  ask_person: ({ question }) => ({
    icon: MessageCircleQuestionMark,
    done: (
      <>
        Asked <Data>{words(question)}</Data>
      </>
    ),
    task: (
      <>
        ask <Data>{words(question)}</Data>
      </>
    ),
  }),
  end_call: () => ({ icon: PhoneOff, done: <>Ended the call</>, task: <>end the call</> }),
  transfer_call: ({ to }) => ({
    icon: Phone,
    done: (
      <>
        Transferred the call to <Data>{words(to)}</Data>
      </>
    ),
    task: (
      <>
        transfer the call to <Data>{words(to)}</Data>
      </>
    ),
  }),
  switch_language: ({ language }) => ({
    icon: Languages,
    done: (
      <>
        Switched the language to <Data>{words(language)}</Data>
      </>
    ),
    task: (
      <>
        switch the language to <Data>{words(language)}</Data>
      </>
    ),
  }),
  send_digits: () => ({ icon: Phone, done: <>Sent digits</>, task: <>send digits</> }),
}
