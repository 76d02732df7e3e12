import { Link } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'

/** Shown when the user loses access to the open project. */
export function AccessEnded() {
  return (
    <Empty
      page
      icon={Unplug}
      title="You no longer have access to this project"
      action={
        <Link to="/projects" className={buttonClass('primary')}>
          Go to projects
        </Link>
      }
    >
      It was deleted, made private, or you left its workspace. Your earlier changes were saved.
    </Empty>
  )
}
