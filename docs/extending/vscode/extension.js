// Starts `minipaddle dap`, with the Python that the configuration names, for each debug session of type "minipaddle".
const vscode = require("vscode");

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor: (session) => {
      const language = vscode.env.language.startsWith("zh") ? "zh" : "en";
      const command = ["-P", "-m", "minipaddle", `--lang=${language}`, "dap"];
      return new vscode.DebugAdapterExecutable(session.configuration.python || "python", command);
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("minipaddle", factory));
};
