export default function VoiceAgentsPage() { return <p>{document.title}VoiceAgentsPage</p> }
