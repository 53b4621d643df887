import { generatedReference, generatedSnapshots, write } from './generated.js';

// Run by `npm run docs`: the snapshot of every tool, and docs/reference.
write(await generatedSnapshots());
write(await generatedReference());
