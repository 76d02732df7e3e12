import { Link } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'

/** The project was deleted, or is not for us any more, while it was open. */
export function Ended() {
  return (
    <Empty
      page
      icon={Unplug}
      title="This project is not open to you any more"
      action={
        <Link to="/projects" className={buttonClass('primary')}>
          Go to your projects
        </Link>
      }
    >
      It was deleted, made private, or you left its workspace. What you did before that was saved.
    </Empty>
  )
}
