import { Link } from '@tanstack/react-router'
import { Archive, Bot, SearchX } from 'lucide-react'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { withNames } from '../../../components/name.tsx'

interface NoAgentsProps {
  q: string | undefined
  archived: boolean
  onClear: () => void
}

/** The empty state of the list: no agent matches, none is archived, or none exists. */
export function NoAgents({ q, archived, onClear }: NoAgentsProps) {
  if (q !== undefined) {
    return (
      <Empty
        icon={SearchX}
        title={withNames`No ${archived ? 'archived ' : ''}agents match “${q}”`}
        action={<Button onClick={onClear}>Clear search</Button>}
      >
        The search covers names and descriptions.
      </Empty>
    )
  }
  if (archived) {
    return (
      <Empty
        icon={Archive}
        title="No archived agents"
        action={
          <Link to="/agents" className={buttonClass('plain')}>
            All agents
          </Link>
        }
      >
        Agents that you archive are listed here, with their versions, and can be unarchived.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Bot}
      title="No agents yet"
      action={
        <Link to="/agents/new" className={buttonClass('primary')}>
          New agent
        </Link>
      }
      command="npx atrium agents apply researcher.yaml"
      commandLead="Or from a file:"
    >
      An agent has instructions, a model and tools, and works on the canvas and the files of a project.
    </Empty>
  )
}
