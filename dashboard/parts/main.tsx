import { createRoot } from 'react-dom/client'
import '../app.css'
import { Parts } from './parts.tsx'

createRoot(document.getElementById('root')!).render(<Parts />)
