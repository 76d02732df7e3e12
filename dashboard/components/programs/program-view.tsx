import { useLayoutEffect, useRef } from 'react'
import { counted } from '../../../contract/counted.ts'
import { t } from '../../../contract/text.ts'
import type { AgentCall, AgentProgram } from '../../api/runs.ts'
import { Code } from '../code.tsx'
import { Copy } from '../copy.tsx'
import { showHidden } from '../hidden-characters.ts'
import { type ProgramCall, ProgramCalls, type ProgramSource } from './program-calls.tsx'
import { readProgramEnd } from './program-output.ts'
import { SourceCode } from './source-code.tsx'

interface ProgramViewProps {
  program: AgentProgram
  call: Pick<AgentCall, 'input' | 'output' | 'state'>
  source: ProgramSource
}

/** What a program was, called, wrote, drew and returned. */
export function ProgramView({ program, call, source }: ProgramViewProps) {
  const { code, script, input } = Object(call.input) as { code?: unknown; script?: unknown; input?: unknown }
  const { calls, callCount, console: lines } = program
  const charts = calls.filter(isChart)
  const end = call.output === null || call.output === undefined ? null : readProgramEnd(call.output)
  const isActive = call.state === 'running' || call.state === 'waiting' || call.state === 'pending'
  return (
    <div className="flex min-w-0 flex-col gap-16">
      {end?.error !== undefined && (
        <p className="wrap-anywhere whitespace-pre-wrap rounded-control bg-bad-wash px-12 py-8 text-13">
          {end.line !== undefined && <b className="font-medium">{t`Line ${end.line}`}: </b>}
          {showHidden(end.error)}
        </p>
      )}
      {typeof code === 'string' ? (
        <Part title={t`Code`}>
          <SourceCode badLine={end?.line}>{code}</SourceCode>
        </Part>
      ) : (
        typeof script === 'string' && (
          <Part title={t`Script`}>
            <Code what="script">{script}</Code>
          </Part>
        )
      )}
      {input !== undefined && input !== null && (
        <Part title={t`Input`}>
          <Code what="input" tall>
            {JSON.stringify(input, null, 2)}
          </Code>
        </Part>
      )}
      {callCount > 0 && (
        <Part title={counted(callCount, 'call', 'calls')}>
          <ProgramCalls program={program} source={source} />
        </Part>
      )}
      {lines.length > 0 && (
        <Part title={t`Console`}>
          <Console lines={lines} isActive={isActive} />
        </Part>
      )}
      {charts.length > 0 && (
        <Part title={t`Charts`}>
          <ul className="flex flex-wrap gap-8">
            {charts.map(({ number, fileId, input: chart }) => (
              <li key={number} className="min-w-0">
                <a href={`/files?view=${fileId}`} className="block">
                  <img
                    src={`/api/v1/files/${fileId}/thumbnail?size=640`}
                    alt={fileName(chart)}
                    loading="lazy"
                    className="max-h-nested-max max-w-full rounded-control border border-neutral-6 bg-inset object-contain"
                  />
                </a>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {end?.result !== undefined && end.result !== null && (
        <Part title={t`Result`}>
          <Code what="result" tall>
            {typeof end.result === 'string' ? end.result : JSON.stringify(end.result, null, 2)}
          </Code>
        </Part>
      )}
      {end?.isUntrusted && (
        <p className="text-12 text-neutral-11">
          The program has read untrusted content. The agent gets its result and console as data.
        </p>
      )}
      {call.output !== null && call.output !== undefined && end === null && (
        <Part title={t`Output`}>
          <Code what="output" tall>
            {typeof call.output === 'string' ? call.output : JSON.stringify(call.output, null, 2)}
          </Code>
        </Part>
      )}
    </div>
  )
}

const isChart = ({ fileId, input }: ProgramCall) => fileId !== null && /\.svg$/i.test(fileName(input))

function fileName(input: unknown): string {
  const { name } = Object(input) as { name?: unknown }
  return typeof name === 'string' ? name : ''
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="font-medium text-12 text-neutral-11">{title}</p>
      {children}
    </div>
  )
}

const TONES: Partial<Record<AgentProgram['console'][number]['level'], string>> = {
  warn: 'text-warning-text',
  error: 'text-bad-text',
  debug: 'text-neutral-10',
}

/** Near the end, it follows new lines. */
const FOLLOWED_PX = 40

function Console({ lines, isActive }: { lines: AgentProgram['console']; isActive: boolean }) {
  const area = useRef<HTMLPreElement>(null)
  const isFollowing = useRef(true)
  const count = lines.length
  useLayoutEffect(() => {
    if (count > 0 && isActive && isFollowing.current && area.current)
      area.current.scrollTop = area.current.scrollHeight
  }, [count, isActive])
  return (
    <div className="relative rounded-control border border-neutral-6 bg-inset">
      <pre
        ref={area}
        role="log"
        aria-label={t`Console`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < FOLLOWED_PX
        }}
        className="wrap-anywhere mr-32 max-h-nested-max overflow-y-auto whitespace-pre-wrap py-8 pl-12 font-mono text-12"
      >
        {lines.map(({ level, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended.
          <span key={index} className={`block ${TONES[level] ?? ''}`}>
            {level === 'log' || level === 'info' ? text : `[${level}] ${text}`}
          </span>
        ))}
      </pre>
      <div className="absolute top-4 right-4">
        <Copy value={lines.map(({ text }) => text).join('\n')} what="console" />
      </div>
    </div>
  )
}
