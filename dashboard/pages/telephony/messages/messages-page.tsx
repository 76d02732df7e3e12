export default function MessagesPage() { return <p>{document.title}MessagesPage</p> }
