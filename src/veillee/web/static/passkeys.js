// passkeys.js: makes a passkey, and comes back by one. Without it, or where the browser knows none, nothing is shown.
const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json", "X-Live": "1" }, body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.status === 204 ? null : answer.json();
}

// A credential as JSON: its buffers become base64url.
function plain({ id, type, rawId, authenticatorAttachment, response, ...credential }) {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const sent = Object.fromEntries(parts.filter(part => response[part]).map(part => [part, text(response[part])]));
  return { id, type, rawId: text(rawId), authenticatorAttachment, response: sent, clientExtensionResults: {} };
}

async function make(name) {
  const { challenge, options } = await send("/me/passkeys/new", {});
  options.challenge = bytes(options.challenge);
  options.user.id = bytes(options.user.id);
  for (const known of options.excludeCredentials ?? []) known.id = bytes(known.id);
  const credential = await navigator.credentials.create({ publicKey: options });
  await send("/me/passkeys", { challenge, name, credential: plain(credential) });
}

async function comeBack() {
  const { challenge, options } = await send("/me/passkeys/ask", {});
  options.challenge = bytes(options.challenge);
  const credential = await navigator.credentials.get({ publicKey: options });
  await send("/me/passkeys/back", { challenge, credential: plain(credential) });
}

if (window.isSecureContext && window.PublicKeyCredential) {
  document.documentElement.classList.add("passkeys");
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("#add-passkey, #by-passkey");
    if (!button) return;
    const said = document.getElementById("passkey-said");
    said.textContent = "";
    button.disabled = true;
    try {
      await (button.id === "add-passkey" ? make(document.getElementById("passkey-name").value) : comeBack());
      location.href = "/me";
    } catch (error) {  // the reader has closed the browser's dialogue, or the house refuses
      said.textContent = error instanceof DOMException || error instanceof TypeError ? button.parentElement.dataset.failed : error.message;
    } finally {
      button.disabled = false;
    }
  });
}
